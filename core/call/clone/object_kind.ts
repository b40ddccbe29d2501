/** Methods that throw unless their object is of the class, whatever it says of itself. */
const BRANDS: readonly (readonly [kind: string, method: () => unknown])[] = [
  ["Map", getterOf(Map.prototype, "size")],
  ["Set", getterOf(Set.prototype, "size")],
  ["ArrayBuffer", getterOf(ArrayBuffer.prototype, "byteLength")],
  ["Date", Date.prototype.getTime],
  ["RegExp", getterOf(RegExp.prototype, "source")],
  ["BigInt", BigInt.prototype.valueOf],
  ["Boolean", Boolean.prototype.valueOf],
  ["Number", Number.prototype.valueOf],
  ["String", String.prototype.valueOf],
];

function getterOf(prototype: object, name: string): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

/** What `Object.prototype.toString` would say, if objects could not choose that by a tag of their own. */
export function objectKind(value: object): string {
  const told = Object.prototype.toString.call(value);
  if (!(Symbol.toStringTag in value)) return told;
  for (const [kind, method] of BRANDS) {
    try {
      method.call(value);
      return `[object ${kind}]`;
    } catch {
      // Another one, then.
    }
  }
  if (value instanceof Error) {
    const { DOMException } = globalThis;
    return DOMException && value instanceof DOMException
      ? "[object DOMException]"
      : "[object Error]";
  }
  // What a runtime has made is of a global class, or an iterator; else it is an object of the user's.
  const name = told.slice("[object ".length, -1);
  const ofRuntime = (globalThis as Readonly<Record<string, unknown>>)[name];
  const isOfRuntime = typeof ofRuntime === "function" && value instanceof ofRuntime;
  if (isOfRuntime && BRANDS.some(([kind]) => kind === name)) return `[object no ${name} within]`;
  return isOfRuntime || /^Async|Iterator$|^Generator$/.test(name) ? told : "[object Object]";
}

/** What it is that is refused, with what to do instead. */
const HINTS: Readonly<Record<string, string>> = {
  Promise: "a promise: await it first",
  MessagePort: "a MessagePort: give it by transfer(value, [port])",
};

/**
 * What a message calls an object that cannot be copied.
 *
 * @param kind as {@linkcode objectKind} has it
 */
export function refusalOf(value: object, kind: string): string {
  const told = kind.slice("[object ".length, -1);
  // What Node says of its ports, and of whatever else hears events.
  const name = told === "EventTarget" ? value.constructor.name : told;
  return HINTS[name] ?? name;
}

const TypedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)!.get!;

/** The name of an array's class; nothing for a `DataView`. */
export function viewName(value: ArrayBufferView): string | undefined {
  return TypedArrayTag.call(value) as string | undefined;
}
