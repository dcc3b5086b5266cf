function longestPlateau(numbers) {
  let longest = 0;
  let current = 0;
  numbers.forEach((number, i) => {
    current = i > 0 && number === numbers[i - 1] ? current + 1 : 1;
    longest = Math.max(longest, current);
  });
  return longest;
}
