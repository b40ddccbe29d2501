/** Every name that a chart specification reads from its rows: what stands under a `field` key. */
export function fieldsOf(spec: unknown): Set<string> {
  if (typeof spec !== "object" || spec === null) return new Set();
  return Object.entries(spec).reduce((fields, [key, value]) => {
    if (key === "values") return fields; // the rows themselves
    return key === "field" && typeof value === "string"
      ? fields.add(value)
      : fields.union(fieldsOf(value));
  }, new Set<string>());
}
