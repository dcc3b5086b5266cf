function countDigits(text) {
  return (text.match(/[0-9]/g) || []).length;
}
