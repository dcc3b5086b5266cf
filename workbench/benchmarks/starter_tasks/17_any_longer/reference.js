function anyLonger(words, limit) {
  return words.some((word) => word.length > limit);
}
