function firstRepeat(words) {
  const seen = new Set();
  for (const word of words) {
    if (seen.has(word)) {
      return word;
    }
    seen.add(word);
  }
  return null;
}
