function fillTemplate(template, values) {
  return template.replace(/\{([^}]*)\}/g, (whole, name) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole
  );
}
