import { testMarked } from "../testdata/marked_source.ts";

testMarked("reach", {
  "what lies where nobody comes any more is lost": `
    function a() { const all = new Map([["a", { port: client.open(1) }]]); } //! unconsumed-port
    function b() {
      const finish = () => port.close();
      const port = client.open(1); //! unconsumed-port
    }
    function c() { new Set<PartialPort<true>>().add(client.open(1)); } //! unconsumed-port`,
  "what somebody can come to is not": `
    const kept: PartialPort<true>[] = [];
    export function a() { kept.push(client.open(1)); }
    export function b() { const port = client.open(1); return { end() { port.close(); } }; }
    export class C { readonly port = client.open(1); }
    export const d = client.open(1);
    let last: PartialPort<true> | undefined;
    function get() { last ??= client.open(1); return last; }
    get().use(fill);
    last?.close();`,
  "a module that is over keeps nothing but what it gives others": `
    const ports = [client.open(1)]; //! unconsumed-port
    export const others = [client.open(1)];
    const all: PartialPort<true>[] = [client.open(1)];
    export function finish() { for (const one of all) one.close(); }`,
  "a name that a function declares itself is another one": `
    const port = client.open(1); //! unconsumed-port
    const packet = client.open(2), used = client.open(3); //! unconsumed-port
    export const f = (port: OwnedPort<0>, all: { packet: string }) => {
      work(all.packet);
      port.close();
    };
    export function g() { used.use(fill); }`,
  "what waits keeps what it will need": `
    const a = client.open(1), b = client.open(2), c = client.open(3);
    setTimeout(() => a.close());
    setInterval(() => b.use(fill));
    addEventListener("message", () => c.close(), { once: true });
    const d = client.open(4); //! unconsumed-port
    setTimeout(() => d.use(fill));
    work(() => {});`,
  "a cursor keeps what is still to come, and what its block holds": `
    function* each() { const port = client.open(1); yield 1; port.close(); }
    export const cursor = each();
    cursor.next();
    export function f() { const cursor = each(); cursor.next(); return cursor; }
    function* others() {
      const port = client.open(2); //! unconsumed-port
      yield 1;
      port.close();
    }
    others().next();`,
  "an exception of foreign code excuses what it makes unreachable": `
    function a() { try { const port = client.open(1); work(); port.close(); } catch { work(); } }
    function b() {
      const port = client.open(1); //! unconsumed-port
      try { work(); } catch { return; }
      port.close();
    }
    function c() { const port = client.open(1); work(); port.close(); }`,
  "an exception of the program does not, where it stands": `
    function a() { const port = client.open(1); check(); port.close(); }
    function check() { if (bad) throw new Error("bad"); }
    function b() {
      const port = client.open(1); //! unconsumed-port
      try { if (bad) throw new Error("bad"); port.close(); } catch { work(); }
    }`,
  "a port in an error goes with it": `
    class Busy extends Error { constructor(readonly port: PartialPort<true>) { super(); } }
    function open() { throw new Busy(client.open(1)); }
    try { open(); } catch (error) { if (error instanceof Busy) error.port.close(); }
    export function f() { throw new Busy(client.open(1)); }`,
});
