double half(double value) {
    return value / 2;
}
