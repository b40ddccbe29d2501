import { assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { cloneValue } from "./clone_value.ts";

function refused(value: unknown, what: string): void {
  const error = assertThrows(() => cloneValue(value), DOMException, `Cannot copy ${what}`);
  assertEquals(error.name, "DataCloneError");
}

Deno.test("cloneValue() copies what structuredClone() does of the language's values", () => {
  class Point {
    x = 1;
    get y() {
      return 2;
    }
  }
  const values = [
    1,
    "a",
    1n,
    true,
    null,
    undefined,
    NaN,
    -0,
    new Date(3),
    new Date(NaN),
    /a+/giu,
    [1, , 3],
    { a: { b: [] } },
    { then: 1, ["__proto__"]: 2 },
    new Map<unknown, unknown>([[{ a: 1 }, new Set([[1]])]]),
    new Uint8Array([1, 2, 3]).subarray(1),
    new DataView(new ArrayBuffer(4), 1, 2),
    new Float64Array([0.5]),
    new BigInt64Array([1n]),
    new Uint8Array([7]).buffer,
    Object(1),
    Object("ab"),
    Object(false),
    Object(2n),
    new Point(),
    Object.create({ inherited: 1 }),
    { [Symbol("none")]: 1 },
  ];
  for (const value of values) {
    const copy = cloneValue(value);
    assertEquals(copy, structuredClone(value));
    if (typeof value === "object" && value !== null) assertNotStrictEquals(copy, value);
  }
  const error = cloneValue(new RangeError("far", { cause: new TypeError("why") })) as Error;
  assertEquals([error.name, error.message, (error.cause as Error).name], [
    "RangeError",
    "far",
    "TypeError",
  ]);
  assertEquals("cause" in (cloneValue(new Error("none")) as Error), false);
  assertEquals(
    (cloneValue(Object.assign(new Error("own"), { name: "Own" })) as Error).name,
    "Error",
  );
});

Deno.test("cloneValue() keeps what refers to what, shares memory and moves buffers", () => {
  const buffer = new ArrayBuffer(8);
  const first = new Uint8Array(buffer);
  const circle: Record<string, unknown> = { first, second: new Uint16Array(buffer, 2, 1) };
  circle.self = new Map([[circle, [circle]]]);
  const copy = cloneValue(circle) as {
    first: Uint8Array;
    second: Uint16Array;
    self: Map<unknown, unknown[]>;
  };
  assertStrictEquals(copy.self.get(copy)![0], copy);
  assertStrictEquals(copy.first.buffer, copy.second.buffer);
  assertEquals([copy.second.byteOffset, copy.second.length], [2, 1]);
  copy.first[0] = 1;
  assertEquals(first[0], 0);
  const shared = new Int32Array(new SharedArrayBuffer(4));
  assertStrictEquals((cloneValue(shared) as Int32Array).buffer, shared.buffer);
  const moved = cloneValue({ first }, { transfer: [buffer] }) as { first: Uint8Array };
  assertEquals([buffer.byteLength, moved.first.byteLength], [0, 8]);
  const port = new MessageChannel().port1 as unknown as ArrayBuffer;
  assertThrows(() => cloneValue(port, { transfer: [port] }), DOMException, "to move it");
  (port as unknown as MessagePort).close();
});

Deno.test("cloneValue() refuses what is none of the language's, and reads no symbols", () => {
  refused(() => {}, "a function");
  refused({ deep: [Symbol("no")] }, "a symbol");
  refused(new Blob([]), "a Blob");
  refused(new URL("https://deno.com"), "a URL");
  refused(Promise.resolve(), "a Promise");
  refused(new WeakMap(), "a WeakMap");
  refused(new DOMException("no"), "a DOMException");
  refused((function* () {})(), "a Generator");
  const symbol = Symbol.for("Deno.core.hostObject");
  const trap = {
    get [symbol](): never {
      throw new Error("read");
    },
  };
  assertEquals(cloneValue(trap), {});
  assertEquals(cloneValue({ [symbol]: 1, a: 1 }), { a: 1 });
});
