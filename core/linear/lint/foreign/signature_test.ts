import { assertEquals } from "@std/assert";
import { findingsAmong, testMarked } from "../testdata/marked_source.ts";

testMarked("signature", {
  "a type parameter says what it extends": `
    declare function keep<T>(value: T): void;
    declare function end<P extends PartialPort<true>>(port: P): void;
    const port = client.open(1);
    keep(port);
    end(port);
    port.close(); //! double-move`,
  "the last parameter speaks for the rest": `
    declare function endAll(...ports: PartialPort<true>[]): void;
    declare function note(text: string, ...ports: { readonly index: number }[]): void;
    const [a, b] = [client.open(1), client.open(2)];
    note("", b, b);
    endAll(a, b);
    b.close(); //! double-move`,
  "what has no member that consumes only looks, all of a union": `
    declare function peek(port: Pick<OwnedPort<0>, "use"> | Pick<OwnedPort<1>, "use">): void;
    declare function hold(port: { readonly index: number } | Disposable): void;
    declare function any(port: {}): void;
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port
    peek(a);
    hold(b);
    any(c);`,
  "a function type takes a port where it gives one back, or serves calls": `
    type Step = (port: PartialPort<true>) => PartialPort<true>;
    export function f(step: Step, look: (port: PartialPort<true>) => void) {
      const port = client.open(1);
      look(port);
      step(port).close();
      port.close(); //! double-move
    }
    export const timed = (handler: TypedHandler): TypedHandler => (port) => {
      handler(port);
      port.close(); //! double-move
    };`,
  "a move that is not the library's": `
    declare const box: { move(port: unknown): void };
    const port = client.open(1);
    box.move(port);
    port.close();`,
});

Deno.test("lint signature: the library's move and open are known by any name", () => {
  const kit = 'import { TypedClient } from "./linear/mod.ts"; export { move as give } ' +
    'from "./linear/mod.ts"; const client = new TypedClient(plain); export default client; ' +
    "export const begin = () => client.open(1); export class Desk { rpc = client; }";
  const main = 'import rpc, { begin, Desk, give } from "./give_kit.ts";\n' +
    "const a = begin(); a.close(); a.close();\n" +
    "rpc.open(1);\n" +
    "const b = new Desk().rpc.open(2);\n" +
    "const c = begin(); export const kept = give(c); c.close();";
  const found = findingsAmong({ "give_kit.ts": kit, "give_main.ts": main });
  assertEquals(
    found.map(({ rule }) => rule),
    ["double-move", "unconsumed-port", "unconsumed-port", "double-move"],
  );
});
