function closestTo(numbers, target) {
  let best = null;
  for (const number of numbers) {
    if (best === null) {
      best = number;
      continue;
    }
    const distance = Math.abs(number - target);
    const least = Math.abs(best - target);
    if (distance < least || (distance === least && number < best)) {
      best = number;
    }
  }
  return best;
}
