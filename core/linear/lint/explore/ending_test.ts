import { testMarked } from "../testdata/marked_source.ts";

testMarked("ending", {
  "a result belongs to whoever called": `
    export async function a() { return { ports: [client.open(1)] }; }
    export function* b() { yield client.open(1); }
    export const c = (port: OwnedPort<0>) => new Map([[port.index, port]]);
    export const d = (): void => { client.open(1); }; //! unconsumed-port`,
  "a result that is over": `
    export function a() { const port = client.open(1); port.close(); return port; } //! double-move
    export async function b() { const port = client.open(1); port.close(); return { port }; } //! double-move
    export function c() { using port = client.open(1); return [port]; } //! use-after-move
    export function d() { using port = client.open(1); return () => port.use(fill); } //! use-after-move
    export function e() { using port = client.open(1); return port.index; }`,
  "functions in a result are called, as often as they return others": `
    export function a() {
      const port = client.open(1);
      return { end() { port.close(); port.use(fill); } }; //! use-after-move
    }
    export function b(first: OwnedPort<0>) {
      return () => { first.close(); return () => { const port = client.open(1); }; }; //! unconsumed-port
    }
    export const c = [(port: OwnedPort<0>) => port.use(fill)]; //! unconsumed-port`,
  "an exception that leaves": `
    export async function a() {
      const port = client.open(1); //! unconsumed-port
      await pause();
      throw new Error("bad");
    }`,
  "a handler that throws has refused its call, and nothing else": `
    server.operatePort(1, (given) => {
      using disposed = client.open(1);
      const plain = client.open(2); //! unconsumed-port
      if (bad) throw new RangeError("bad");
      plain.close();
      reply(given);
    });
    function reply(port: PartialPort<true>): void {
      const sent = port.send(work);
      if (worse) throw new RangeError("worse");
      sent.close();
    }
    server.operatePort(2, (port) => { //! unconsumed-port
      try { if (bad) throw new RangeError("bad"); port.close(); } catch { report(); }
    });`,
  "a port that comes owned may be a handler's": `
    export const handler: TypedHandler = (port) => { if (bad) throw new RangeError("bad"); port.close(); };
    export function a(port: PartialPort<true>) { if (bad) throw new Error("bad"); port.close(); }
    export function b(port: PartialPort<false>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port
    export function c(port: SentPort<0>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port`,
  "a handler keeps nothing of its call": `
    const kept: PartialPort<boolean>[] = [];
    server.operatePort(1, (port) => { kept.push(move(port).send()); }); //! use-after-move
    server.operatePort(2, (port) => {
      const sent = port.send(); //! use-after-move
      setTimeout(() => sent.close());
    });
    server.operatePort(3, async (port) => { await idle(); port.close(); }); //! use-after-move
    server.operatePort(4, (port) => port.send()); //! unconsumed-port
    server.operatePort(5, function (port) { if (ready) port.close(); }); //! unconsumed-port`,
  "something happens in the end": `
    let port = client.open(1);
    addEventListener("close", () => port.close());
    addEventListener("message", () => { client.open(1); }); //! unconsumed-port
    const other = client.open(2);
    addEventListener("message", () => other.close()); //! double-move`,
  "what comes from something that is lost is not told again": `
    function f() {
      const port = client.open(1); //! unconsumed-port
      if (ready) return;
      const back = port.send().recv();
      if (busy) return;
      back.close();
    }`,
  "functions in a result come in any order, and again": `
    export function pair() {
      let port: OwnedPort<0> | undefined;
      return {
        begin() { port = client.open(1); }, //! unconsumed-port
        end() { port?.close(); port = undefined; },
      };
    }
    export function guarded() {
      let port: OwnedPort<0> | undefined;
      return { begin() { port ??= client.open(1); }, end() { port?.close(); port = undefined; } };
    }`,
  "the next call may come before a timer": `
    export function debounced() {
      let timer: number | undefined;
      return {
        changed() {
          clearTimeout(timer);
          const port = client.open(1); //! unconsumed-port
          timer = setTimeout(() => port.close());
        },
      };
    }
    export class Page {
      #page = client.open(1);
      async flush() {
        const page = this.#page;
        await new Promise((wake) => setTimeout(wake, 1));
        page.send().close(); //! double-move
        this.#page = client.open(1); //! unconsumed-port
      }
    }
    export class Swapped {
      #page = client.open(1);
      async flush() {
        const page = this.#page;
        this.#page = client.open(1);
        await new Promise((wake) => setTimeout(wake, 1));
        page.close();
      }
    }`,
  "functions of a module share what it keeps": `
    const pending = new Map<number, OwnedPort<0>>();
    export function start(id: number) { if (!pending.has(id)) pending.set(id, client.open(1)); }
    export function collect(id: number) { pending.get(id)?.close(); } //! double-move
    export function stop() { for (const port of pending.values()) port.close(); pending.clear(); } //! double-move
    let current: OwnedPort<0> | undefined;
    export function begin() { current = client.open(2); } //! unconsumed-port
    export function end() { current?.close(); current = undefined; }
    const calls = { last: undefined as OwnedPort<0> | undefined };
    export function renew() { calls.last?.close(); calls.last = client.open(3); }`,
  "who answers no has left the port to the caller": `
    export function answered(port: PartialPort<false>, isHit: boolean): boolean {
      if (!isHit) return false;
      port.close();
      return true;
    }
    export function refused(port: PartialPort<false>, isHit: boolean): boolean { //! unconsumed-port
      if (isHit) port.close();
      return true;
    }
    export function forgets(isHit: boolean): boolean {
      const port = client.open(1); //! unconsumed-port
      if (!isHit) return false;
      port.close();
      return true;
    }`,
  "what a module gives is called with what its type wants": `
    function twice<Inputs extends unknown[]>(work: (...inputs: Inputs) => void): (...inputs: Inputs) => void {
      return (...inputs) => { work(...inputs); work(...inputs); }; //! double-move
    }
    export const end = twice((port: OwnedPort<0>, count: number) => { port.close(); });
    export const show = twice((port: Lent<OwnedPort<0>>) => port.use(fill));`,
});
