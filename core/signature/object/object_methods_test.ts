import { assert, assertEquals, assertThrows } from "@std/assert";
import { methodsOf, ObjectMethods } from "./object_methods.ts";

class Base {
  read(): string {
    return "base";
  }

  list(): readonly string[] {
    return [];
  }
}

class Store extends Base {
  readonly #prefix = "store ";

  get secret(): () => string {
    return () => "accessor";
  }

  override read(): string {
    return this.#prefix + super.read();
  }

  _hidden(): void {}
}

Deno.test("methodsOf() finds what an object and its classes have, bound, and nothing else", () => {
  const methods = methodsOf(new Store());
  assertEquals([...methods.keys()].sort(), ["list", "read"]);
  assertEquals(methods.get("read")!(), "store base");
  const own = Object.assign(Object.create(null), { add: (a: number) => a + 1, size: 3 });
  assertEquals([...methodsOf(own).keys()], ["add"]);
});

Deno.test("methodsOf() finds no method behind another member, and none that every function has", () => {
  class Shadowing extends Store {
    static make(): number {
      return 1;
    }
  }
  Object.defineProperty(Shadowing.prototype, "list", { get: () => assert(false, "not run") });
  const object = Object.defineProperty(new Shadowing(), "read", { value: undefined });
  assertEquals([...methodsOf(object).keys()], []);
  assertEquals([...methodsOf(Shadowing).keys()], ["make"]);
  assertEquals([...methodsOf(() => 1).keys()], []);
});

Deno.test("ObjectMethods.call() refuses what names no method, and suggests the nearest", () => {
  const methods = new ObjectMethods("store", methodsOf(new Store()));
  assertEquals(methods.call(["read"]), "store base");
  const refusals = [
    [["raed"], "Cannot call store.raed: did you mean read"],
    [["constructor"], "Cannot call store.constructor: there are"],
    [["toString"], "Cannot call store.toString"],
    [["__proto__"], "Cannot call store.__proto__"],
    [["_hidden"], "Cannot call store._hidden"],
    [["secret"], "Cannot call store.secret"],
    [[1], "names no method"],
    ["read", "names no method"],
    [null, "names no method"],
  ] as const;
  for (const [request, text] of refusals) assertThrows(() => methods.call(request), Error, text);
  const none = new ObjectMethods("none", new Map());
  assertThrows(() => none.call(["read"]), RangeError, "there are none");
});
