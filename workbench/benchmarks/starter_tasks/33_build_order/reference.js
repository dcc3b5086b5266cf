function buildOrder(rules) {
  const needs = new Map();
  for (const rule of rules) {
    const [first, second] = rule.split(">");
    if (!needs.has(first)) needs.set(first, new Set());
    if (!needs.has(second)) needs.set(second, new Set());
    needs.get(second).add(first);
  }
  const order = [];
  while (needs.size > 0) {
    const ready = [...needs.keys()].filter((step) => needs.get(step).size === 0).sort();
    if (ready.length === 0) {
      return [];
    }
    order.push(ready[0]);
    needs.delete(ready[0]);
    for (const before of needs.values()) {
      before.delete(ready[0]);
    }
  }
  return order;
}
