import { assertEquals } from "@std/assert";
import { findingsAmong, foundMessages, testMarked } from "../testdata/marked_source.ts";

testMarked("access", {
  "by name and by key; which port it was may be asked for ever": `
    const port = client.open(1), key = "close";
    port["use"](fill);
    table[port.index] = 1;
    port[key]();
    table[port.outbox] = port.index; //! use-after-move
    port["send"]().close(); //! double-move
    const { index } = port;`,
  "a part that is taken out": `
    const port = client.open(1), { inbox } = port;
    port.close();
    const { index, outbox } = port; //! use-after-move`,
  "a field that is cleared, or gets another port, lets go": `
    const box: { port?: PartialPort<true> } = { port: client.open(1) }; //! unconsumed-port
    box.port = undefined;
    box.port = client.open(2); //! unconsumed-port
    box.port = client.open(3);
    box.port = box.port.send().recv();
    box.port.close();`,
  "the same key is the same place": `
    const ports = [client.open(1), client.open(2)];
    ports[0].close();
    ports[1].close();
    ports[0].use(fill); //! use-after-move
    function f(calls: PartialPort<true>[], index: number): void {
      calls[index] = calls[index].send().recv();
      calls[index].close();
      calls[index].close(); //! double-move
    }`,
  "a chain that ends early": `
    const box: { port?: PartialPort<true> } | undefined = ready ? { port: client.open(2) } : undefined;
    box?.port?.use(fill);
    box?.port?.close();
    box?.port?.close(); //! double-move`,
  "getters and setters": `
    class Box {
      #port = client.open(1); //! unconsumed-port
      get port() { return this.#port; }
      set port(port: PartialPort<true>) { this.#port = port; }
    }
    const box = new Box();
    box.port = client.open(2);
    box.port.close();
    box.port.use(fill); //! use-after-move
    const bag = { kept: client.open(3), get first() { return this.kept; } };
    bag.first.use(fill);
    bag.kept.close();`,
  "an object of which only the type is known": `
    interface Call { port: PartialPort<true>; next?: Call }
    function f(call: Call): void {
      const { port } = call;
      port.close();
      call.port.close(); //! double-move
    }
    function g(call: Call | undefined, others: readonly Call[]): void {
      while (call) { call.port.close(); call = call.next; }
      for (const one of others) { if (ready) continue; one.port.close(); }
    }
    function h({ signal }: { readonly signal: AbortSignal }): void {
      const port = client.open(1);
      if (signal.aborted) { port.close(); return; }
      work();
      if (signal.aborted) work();
      port.close();
    }`,
  "a field that others may have given another port": `
    export class Desk {
      port: PartialPort<true> | undefined = client.open(1);
      get fresh() { return client.open(1); }
      fill() { this.port?.close(); this.port = client.open(1); }
      end() {
        this.fill();
        elsewhere(this);
        this.port?.close();
        this.fresh.close();
        this.fresh.close();
      }
    }`,
  "a part by a name that is not known": `
    const calls: Record<string, PartialPort<true>> = {};
    calls[name] = client.open(1);
    calls[name].close();
    calls[name].use(fill); //! use-after-move`,
  "a name that nobody knows, looked up, put and deleted": `
    type Lines = Partial<Record<string, OwnedPort<0>>>;
    export class Board {
      readonly #lines: Lines = {};
      connect(name: string) { this.#lines[name] ??= client.open(1); }
      end(name: string) { const port = this.#lines[name]; delete this.#lines[name]; port?.close(); }
      rename(from: string, to: string) {
        if (this.#lines[from] === undefined || to in this.#lines) return;
        this.#lines[to] = this.#lines[from];
        delete this.#lines[from];
      }
      close() { for (const name of Object.keys(this.#lines)) this.end(name); }
    }
    export function pick(name: "a" | "b") {
      const ports: Lines = { a: client.open(1) };
      const port = ports[name];
      delete ports[name];
      port?.close();
      ports.a?.close();
    }
    export function forget(name: "a" | "b") {
      const ports: Lines = { a: client.open(1) };
      ports[name]?.close();
      ports.a?.close(); //! double-move
    }`,
  "a place that nobody knows is emptied": `
    export class Ring {
      readonly #places: (OwnedPort<0> | undefined)[] = [];
      #start = 0;
      read() {
        const port = this.#places[this.#start];
        this.#places[this.#start] = undefined;
        this.#start = (this.#start + 1) % this.#places.length;
        return port;
      }
      peek() { return this.#places[this.#start]; }
    }
    export function drain(ring: Ring) { for (let port = ring.read(); port; port = ring.read()) port.close(); }`,
});

Deno.test("store() notes where something else comes in the place of a port", () => {
  const source = `
    const box: { port?: PartialPort<true> } = {};
    { const port = client.open(1); box.port = port; }
    box.port = client.open(2);
    box.port.close();`;
  const [message] = foundMessages(source);
  assertEquals(message, "Port 'port' of line 3 is overwritten at line 4 before it was consumed");
});

Deno.test("lint access: an enum of another file has its values", () => {
  const kit =
    'import type { OwnedPort } from "./linear/mod.ts"; export enum Stage { Open, Over } ' +
    "export type Call = { stage: Stage.Open; port: OwnedPort<0> } | { stage: Stage.Over }; " +
    "export function end(call: Call) { if (call.stage === Stage.Open) call.port.close(); }";
  const main = 'import type { TypedClient } from "./linear/mod.ts"; ' +
    'import { end, Stage } from "./enum_kit.ts"; declare const client: TypedClient;\n' +
    "end({ stage: Stage.Open, port: client.open(1) });\n" +
    "const port = client.open(2); if (Stage.Over !== 1) port.close();";
  const found = findingsAmong({ "enum_kit.ts": kit, "enum_main.ts": main });
  assertEquals(found.map(({ node }) => node.getText()), ["port"]);
});
