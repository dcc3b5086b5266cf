#include <map>
#include <set>
#include <string>
#include <vector>

std::vector<std::string> build_order(const std::vector<std::string>& rules) {
    std::map<std::string, std::set<std::string>> needs;
    for (const std::string& rule : rules) {
        const std::size_t sign = rule.find('>');
        const std::string first = rule.substr(0, sign), second = rule.substr(sign + 1);
        needs[first];
        needs[second].insert(first);
    }
    std::vector<std::string> order;
    while (!needs.empty()) {
        auto ready = needs.begin();
        while (ready != needs.end() && !ready->second.empty()) {
            ++ready;
        }
        if (ready == needs.end()) {
            return {};
        }
        order.push_back(ready->first);
        needs.erase(ready);
        for (auto& [step, before] : needs) {
            before.erase(order.back());
        }
    }
    return order;
}
