bool is_even(long long number) {
    return number % 2 == 0;
}
