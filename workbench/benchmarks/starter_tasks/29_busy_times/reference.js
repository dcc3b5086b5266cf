function busyTimes(meetings) {
  const times = [];
  for (const [start, end] of [...meetings].sort((a, b) => a[0] - b[0])) {
    const last = times[times.length - 1];
    if (last && start <= last[1]) {
      last[1] = Math.max(last[1], end);
    } else {
      times.push([start, end]);
    }
  }
  return times;
}
