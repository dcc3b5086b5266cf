function swapEnds(numbers) {
  if (numbers.length < 2) {
    return numbers;
  }
  return [numbers[numbers.length - 1], ...numbers.slice(1, -1), numbers[0]];
}
