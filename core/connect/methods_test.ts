import { assert, assertEquals } from "@std/assert";
import { methodsOf } from "./methods.ts";

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
