long long sum_between(long long low, long long high) {
    if (low > high) {
        return 0;
    }
    return (low + high) * (high - low + 1) / 2;
}
