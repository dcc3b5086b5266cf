function evaluate(expression) {
  const tokens = expression.match(/\d+|[-+*()]/g);
  let position = 0;

  const factor = () => {
    const token = tokens[position++];
    if (token !== "(") {
      return Number(token);
    }
    const value = terms();
    position++;
    return value;
  };

  const product = () => {
    let value = factor();
    while (tokens[position] === "*") {
      position++;
      value *= factor();
    }
    return value;
  };

  const terms = () => {
    let value = product();
    while (tokens[position] === "+" || tokens[position] === "-") {
      const sign = tokens[position++] === "+" ? 1 : -1;
      value += sign * product();
    }
    return value;
  };

  return terms();
}
