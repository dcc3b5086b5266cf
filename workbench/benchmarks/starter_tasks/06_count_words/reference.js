function countWords(words) {
  return words.length;
}
