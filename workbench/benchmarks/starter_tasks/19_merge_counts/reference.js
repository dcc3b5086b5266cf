function mergeCounts(left, right) {
  const merged = { ...left };
  for (const [word, count] of Object.entries(right)) {
    merged[word] = (merged[word] ?? 0) + count;
  }
  return merged;
}
