function isAdult(age) {
  return age >= 18;
}
