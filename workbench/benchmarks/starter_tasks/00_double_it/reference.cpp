long long double_it(long long number) {
    return number * 2;
}
