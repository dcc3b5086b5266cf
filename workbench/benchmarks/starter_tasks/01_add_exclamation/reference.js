function addExclamation(word) {
  return word + "!";
}
