// deno-lint-ignore-file linear/double-move linear/unconsumed-port linear/use-after-move -- what is refused is done on purpose
import { assertThrows } from "@std/assert";
import { InvariantError } from "../memory/assert.ts";
import { assertRules } from "./testdata/rules.ts";
import { ConsumedError, type PartialPort } from "./mod.ts";
import { makeIncrementPair, OPCODE } from "./testdata/pair.ts";

// What hangs on other functions the rules do not see. Each program is judged, and run.

for (const checks of ["on", "off"] as const) {
  const title = (what: string) => `misuse: ${what}, checks ${checks}`;
  const refusal = checks === "on" ? ConsumedError : InvariantError;

  Deno.test(title("an object that is ended twice"), () => {
    const { client } = makeIncrementPair(checks);
    class Line {
      readonly #port = client.open(OPCODE);
      close(): void {
        this.#port.close();
      }
    }
    const line = new Line();
    line.close();
    assertThrows(() => line.close(), refusal);
    assertRules(`class Line { readonly #port = client.open(1); close() { this.#port.close(); } }
      const line = new Line(); line.close(); line.close();`);
  });

  Deno.test(title("a module's port after one of its functions"), () => {
    const { client } = makeIncrementPair(checks);
    const shared = client.open(OPCODE);
    function end(): void {
      shared.close();
    }
    function work(): void {
      shared.use(() => {});
    }
    end();
    assertThrows(work, refusal);
    assertRules(`const shared = client.open(1);
      export function end() { shared.close(); } export function work() { shared.use(f); }`);
  });

  Deno.test(title("an element that two numbers mean"), () => {
    const { client } = makeIncrementPair(checks);
    const ports = [client.open(OPCODE)];
    const closeBoth = (first: number, second: number) => {
      ports[first]!.close();
      ports[second]!.close();
    };
    assertThrows(() => closeBoth(0, 0), refusal);
    assertRules(`export function closeBoth(ports: ReturnType<typeof client.open>[],
      first: number, second: number) { ports[first]!.close(); ports[second]!.close(); }`);
  });

  Deno.test(title("a cast to the other state"), () => {
    const sent = makeIncrementPair(checks).client.open(OPCODE).send();
    const owned = sent as unknown as PartialPort<true>;
    assertThrows(() => owned.send(), InvariantError, "sends has its packet");
    assertRules(`const sent = client.open(1).send();
      const owned = sent as unknown as ReturnType<typeof client.open>; owned.send().close();`);
  });
}

Deno.test("misuse: methods of an object in a wrong order, checks on", () => {
  const { client } = makeIncrementPair();
  class Line {
    readonly #port = client.open(OPCODE);
    write(): void {
      this.#port.use(() => {});
    }
    close(): void {
      this.#port.close();
    }
  }
  const line = new Line();
  line.close();
  assertThrows(() => line.write(), ConsumedError, "use() came after close()");
  assertRules(`class Line { readonly #port = client.open(1);
    write() { this.#port.use(f); } close() { this.#port.close(); } }
    const line = new Line(); line.close(); line.write();`);
});

Deno.test("misuse: a key of a map that is set again, checks on", () => {
  const { client } = makeIncrementPair("on", 2);
  const calls = new Map<string, PartialPort<false>>();
  const begin = (name: string) => calls.set(name, client.open(OPCODE).send());
  begin("a");
  begin("a");
  for (const call of calls.values()) call.close();
  assertThrows(() => client.assertNoneOpen(), InvariantError, "still open are port 0, open()");
  assertRules(`const calls = new Map();
    export function begin(name: string) { calls.set(name, client.open(1).send()); }`);
});

Deno.test("misuse: a callback that leaves what it is given, checks on", () => {
  const { client } = makeIncrementPair();
  const give = (work: (port: PartialPort<true>) => void) => work(client.open(OPCODE));
  give((port) => port.use(() => {}));
  assertThrows(() => client.assertNoneOpen(), InvariantError, "still open are port 0, open()");
  assertRules(`type Port = ReturnType<typeof client.open>;
    const give = (work: (port: Port) => void) => work(client.open(1)); give((port) => port.use(f));`);
});

Deno.test("misuse: foreign code that throws where nobody catches, checks on", () => {
  const { client } = makeIncrementPair();
  const store = (text: string) => {
    const port = client.open(OPCODE);
    JSON.parse(text);
    port.close();
  };
  assertThrows(() => store("{"), SyntaxError);
  assertThrows(() => client.assertNoneOpen(), InvariantError, "still open are port 0, open()");
  assertRules(`export function store(text: string) {
    const port = client.open(1); JSON.parse(text); port.close(); }`);
});
