/** What is found by walking over a realm from its names and its syntax. */
export interface Walked {
  /** The way to each object, as `Map.prototype.get`. */
  readonly paths: readonly string[];
  /** Those that can be changed: `a.b` for a property, `a` for an object that takes more of them. */
  readonly loose: readonly string[];
}

/**
 * Walks over the realm that it is compiled in, so it uses nothing of another: its source is given to a
 * guest, and to a realm that no runtime put anything into.
 *
 * @param first names to begin with, so that what two realms have in common has the same path
 */
export function walkRealm(first: readonly string[]): Walked {
  const { getOwnPropertyDescriptor, getPrototypeOf, isExtensible, ownKeys } = Reflect;
  const paths = new Map<object, string>();
  const loose: string[] = [];
  function add(value: unknown, path: string): void {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return;
    if (!paths.has(value)) paths.set(value, path);
  }
  function addProperty(one: object, key: PropertyKey, path: string): void {
    const { value, get, set, writable, configurable } = getOwnPropertyDescriptor(one, key)!;
    if (writable || configurable) loose.push(path);
    add(value, path);
    add(get, `${path}<get>`);
    add(set, `${path}<set>`);
  }
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !first.includes(name));
  for (const name of [...first, ...names.sort()]) {
    if (getOwnPropertyDescriptor(globalThis, name)) addProperty(globalThis, name, name);
  }
  const made = {
    async: async () => {},
    generator: function* () {},
    asyncGenerator: async function* () {},
    generated: Object.getPrototypeOf((function* () {})()),
    asyncGenerated: Object.getPrototypeOf((async function* () {})()),
    array: [].values(),
    map: new Map().entries(),
    set: new Set().entries(),
    text: ""[Symbol.iterator](),
    matches: "".matchAll(/a/g),
    segmented: new Intl.Segmenter().segment(""),
    segments: new Intl.Segmenter().segment("")[Symbol.iterator](),
    wrapped: Iterator.from({ next: () => ({ done: true, value: 0 }) }),
    helper: [].values().map(() => 0),
  };
  for (const [name, one] of Object.entries(made)) add(getPrototypeOf(one), `%${name}`);
  for (const [one, path] of paths) {
    if (isExtensible(one)) loose.push(path);
    const keys = ownKeys(one).sort((left, right) => String(left) < String(right) ? -1 : 1);
    for (const key of keys) addProperty(one, key, `${path}.${String(key)}`);
    add(getPrototypeOf(one), `${path}.__proto__`);
  }
  return { paths: [...paths.values()], loose };
}
