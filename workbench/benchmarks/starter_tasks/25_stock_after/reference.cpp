#include <map>
#include <string>
#include <vector>

std::map<std::string, long long> stock_after(const std::vector<std::string>& orders) {
    std::map<std::string, long long> stock;
    for (const std::string& order : orders) {
        const std::string article = order.substr(1);
        auto entry = stock.find(article);
        if (order[0] == '+') {
            ++stock[article];
        } else if (entry != stock.end() && --entry->second == 0) {
            stock.erase(entry);
        }
    }
    return stock;
}
