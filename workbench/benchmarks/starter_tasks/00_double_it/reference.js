function doubleIt(number) {
  return number * 2;
}
