function isEven(number) {
  return number % 2 === 0;
}
