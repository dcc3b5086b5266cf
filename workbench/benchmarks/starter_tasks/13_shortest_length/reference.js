function shortestLength(words) {
  return words.length === 0 ? 0 : Math.min(...words.map((word) => word.length));
}
