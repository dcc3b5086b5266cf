#include <vector>

std::vector<double> discounted(std::vector<double> prices, double percent) {
    for (double& price : prices) {
        price *= 1 - percent / 100;
    }
    return prices;
}
