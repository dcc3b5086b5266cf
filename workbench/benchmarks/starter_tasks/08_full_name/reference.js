function fullName(first, last) {
  return `${first} ${last}`;
}
