function pageRanges(pages) {
  const sorted = [...new Set(pages)].sort((a, b) => a - b);
  const runs = [];
  for (const page of sorted) {
    const run = runs[runs.length - 1];
    if (run && run[run.length - 1] === page - 1) {
      run.push(page);
    } else {
      runs.push([page]);
    }
  }
  return runs
    .map((run) => (run.length > 2 ? `${run[0]}-${run[run.length - 1]}` : run.join(",")))
    .join(",");
}
