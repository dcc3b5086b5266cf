function lastOf(numbers) {
  return numbers[numbers.length - 1];
}
