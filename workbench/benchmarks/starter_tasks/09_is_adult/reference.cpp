bool is_adult(long long age) {
    return age >= 18;
}
