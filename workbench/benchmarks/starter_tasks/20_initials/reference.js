function initials(name) {
  return name
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => `${word[0].toUpperCase()}.`)
    .join("");
}
