import { testMarked } from "./testdata/marked_source.ts";

testMarked("flow", {
  "a case that forgets, and default first": `
    const port = client.open(1), other = client.open(2); //! unconsumed-port
    switch (kind) { case 1: port.close(); break; case 2: break; }
    switch (kind) { default: other.close(); break; case 1: case 2: other.close(); break; }`,
  "a case that goes on with the next": `
    const port = client.open(2);
    switch (kind) { case 1: port.close(); default: port.close(); } //! double-move`,
  "a label is left": `
    const port = client.open(1); //! unconsumed-port
    done: if (a) { if (b) break done; port.close(); } else if (c) port.use(fill); else port.close();`,
  "what is thrown is what is caught": `
    const port = client.open(1);
    try { throw { port, kind: 1 }; } catch ({ port: caught, kind }) { if (kind === 1) caught.close(); }
    port.use(fill); //! use-after-move`,
  "caught and thrown on, through what comes in any case": `
    function f() {
      const port = client.open(1), other = client.open(2); //! unconsumed-port
      try {
        try { if (bad) throw new Error("bad"); port.close(); } catch (error) { throw error; }
      } finally { other.close(); }
    }`,
  "the name is carried": `
    let port = client.open(1); //! unconsumed-port
    for (const part of parts) port = port.send(part).recv();`,
  "polling, always of the first one": `
    const lost = client.open(1).send(fill);
    for (;;) {
      const look = lost.query(); //! unconsumed-port double-move
      if (look.arrived) { look.value.close(); break; }
    }`,
  "only break leaves while true": `
    const port = client.open(1);
    while (true) if (done()) { port.close(); break; }
    for (;;) work();
    port.close();`,
  "a label says which one is left": `
    outer: for (const a of as) {
      const port = client.open(1); //! unconsumed-port
      for (const b of bs) if (b) continue outer;
      while (ready) { if (a) break outer; break; } //
      port.close();
    }`,
  "do while runs once, or more than once": `
    const port = client.open(1), other = client.open(1);
    do { port.close(); } while (false);
    do { other.close(); } while (more()); //! double-move`,
  "a port in the head": `
    for (let port = client.open(1), i = 0;; i++) {
      if (i === 3) { port.close(); break; }
      port = port.send().recv();
    }
    for (let port = client.open(1), i = 0; i < 3; i++) port = port.send().recv(); //! unconsumed-port`,
  "a round has its own names": `
    const ends: (() => void)[] = [];
    for (let port = client.open(1), i = 0; i < 2; i++, port = client.open(2)) { //! unconsumed-port
      ends.push(() => port.close());
    }
    for (const end of ends) end();`,
  "keys of an object, and of what is not known": `
    const calls = { a: client.open(1), b: client.open(2) };
    for (const key in calls) calls[key].close();
    const port = client.open(1); //! unconsumed-port
    for (const key in table) {
      port.close(); //! double-move
      if (key) continue;
      break;
    }`,
  "into a name that is there": `
    let port: PartialPort<true> | undefined;
    for (port of [client.open(1), client.open(2)]) port.close();
    port.use(fill); //! use-after-move`,
  "an exception, and a return, end it": `
    function find(wanted: number) {
      for (const id of ids) {
        const port = client.open(id);
        if (id === wanted) return port;
        try { port.use(fill); if (bad) throw new Error("bad"); } finally { port.close(); }
      }
    }`,
  "using closes at the end": `
    for (const part of parts) { using port = client.open(2); port.use(part); }
    function f() { using port = client.open(3); if (ready) return; if (bad) throw new Error("bad"); }
    async function g() { await using port = client.open(4); port.use(fill); }`,
  "using closes what has not moved on": `
    using port = client.open(1), maybe = client.tryOpen(2), other = client.tryOpen(3);
    port.send().close();
    port.use(fill); //! use-after-move
    if (other.present) other.value.close();
    using none = ready ? client.open(4) : undefined;`,
  "without a value": `
    let port: PartialPort<true> | undefined, other;
    work(port);
    if (ready) other = client.open(1);
    other?.close();`,
  "several": `
    const a = client.open(1), b = a.send(), c = b.recv(); //! unconsumed-port
    let d, e = client.open(2);
    e.close();`,
  "declared elsewhere": `
    declare const port: PartialPort<true>, maybe: Maybe<PartialPort<true>>;
    port.close();
    port.close(); //! double-move
    if (maybe.present) maybe.value.use(fill);`,
  "an exported port is everybody's": `
    export const port = client.open(1);
    const other = client.open(1);
    export { other };
    export default client.open(2);`,
  "each call is a question of its own": `
    const port = client.open(1); //! unconsumed-port
    if (ask()) port.close();
    if (!ask()) port.close(); //! double-move`,
  "one of some words, in each way to ask": `
    export function f(mode: "keep" | "end", port: OwnedPort<0>, other: OwnedPort<0>) { //! unconsumed-port
      if (mode === "keep") port.close();
      else if (mode === "end") port.close();
      switch (mode) { case "end": other.close(); }
    }
    export function g(mode: "keep" | "end", port: OwnedPort<0>) {
      switch (mode) { case "keep": port.close(); break; case "end": port.close(); }
    }
    export function h(mode: string, port: OwnedPort<0>) { //! unconsumed-port
      if (mode === "keep") port.close();
      else if (mode === "end") port.close();
    }`,
  "every way to write that a port may be missing": `
    function a(port?: OwnedPort<0>) { if (!port) return; port.close(); }
    function b(port: OwnedPort<0> | null) { if (port === null) return; port.close(); }
    function c(port: OwnedPort<0> | null) { if (null == port) return; port.close(); }
    function d(port?: OwnedPort<0>) { if (typeof port === "undefined") return; port.close(); }
    function e(port?: OwnedPort<0>) { if (typeof port === "object") port.close(); }
    function f(port?: OwnedPort<0>) { if (!!port) port.close(); }
    function g(port?: OwnedPort<0>) { if (Boolean(port)) port!.close(); }
    function h(port?: OwnedPort<0>) { const has = port !== void 0; if (has) port.close(); }
    function i(port?: OwnedPort<0>) { port?.close(); }
    function j(port?: OwnedPort<0>) { if (port === undefined) return; port.use(fill); } //! unconsumed-port`,
  "an exception of the program is a path, one from elsewhere nobody's fault": `
    export function own(isBad: boolean) {
      const port = client.open(1); //! unconsumed-port
      if (isBad) throw new Error("bad");
      port.close();
    }
    export function foreign() { const port = client.open(1); work(); port.close(); }`,
  "a name of a block hides one from outside": `
    const port = client.open(1);
    { const port = client.open(2); port.use(fill); } //! unconsumed-port
    try { work(); } catch (port) { port.close(); }
    port.close();`,
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
  "ports behind several unusual decisions": `
    export function f(a: boolean, b: boolean, c: boolean, d: boolean) {
      if (a) return;
      if (b) return;
      if (c) return;
      const port = client.open(1); //! unconsumed-port
      if (d) port.close();
    }`,
  "a port or nothing": `
    const port = a ? client.open(1) : undefined;
    if (port instanceof Object) port.close();`,
  "compared with an answer": `
    const maybe = client.tryOpen(1);
    if (false !== maybe.present) maybe.value.close();`,
  "an object of a class": `
    class Base { readonly port = client.open(1); }
    class Call extends Base {}
    class Other {}
    const call: Base | Other = new Call();
    if (call instanceof Base) call.port.close();
    if (call instanceof Other) call.port.close();`,
  "a mask that is kept is not understood, one that is looked at is": `
    export class Slots {
      readonly #slots: (OwnedPort<0> | undefined)[] = [];
      #mask = 0;
      put(port: OwnedPort<0>) {
        for (let slot = 0; slot < 2; slot++) {
          if (this.#mask & (1 << slot)) continue;
          this.#mask |= 1 << slot;
          return void (this.#slots[slot] = port);
        }
        port.close();
      }
      free(mask: number) {
        const wanted = this.#mask & mask;
        for (let slot = 0; slot < 2; slot++) {
          if (!(wanted & (1 << slot))) continue;
          this.#slots[slot]?.close();
          this.#slots[slot] = undefined;
        }
        this.#mask &= ~wanted;
      }
    }
    export function flagged(flags: number) {
      const port = client.open(1); //! unconsumed-port
      if ((flags >> 3) & 1) port.close();
    }`,
  "with a condition": `
    let port: PartialPort<true> | undefined;
    port ??= client.open(1);
    port ??= client.open(2);
    port ||= client.open(4);
    port &&= port.send().recv();
    port.close();`,
  "into a member": `
    this.port = client.open(1);
    [other.port] = [client.open(2)];
    ({ port: this.other } = elsewhere());`,
  "two names swap": `
    let [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    [a, b] = [b, a];
    ({ a } = { a });
    a.close();`,
  "what is absent": `
    let third: PartialPort<true>;
    [third = client.open(3)] = [];
    ({ third = client.open(4) } = { third }); //
    third.close();`,
  "from elsewhere": `
    const { port, ...rest } = elsewhere(), [a, b] = elsewhere([client.openAsync(1)]);
    for (const one of [port, port, a]) one.send();`,
  "taken without a look": `
    client.tryOpen(1).value.close(); //! unchecked-maybe
    client.open(1).send().query().value.close(); //! unchecked-maybe
    const maybe = client.tryOpen(1), port = maybe.value; //! unchecked-maybe
    port.close();`,
  "only asked, or not even that": `
    client.tryOpen(1); //! unconsumed-port
    const maybe = client.tryOpen(1); //! unchecked-maybe
    const other = client.tryOpen(1); //! unconsumed-port
    console.log(other.present);
    function isBack(sent: SentPort<0>): boolean {
      const look = sent.query(); //! unconsumed-port
      return look.arrived;
    }`,
  "a name for the answer": `
    function f() {
      const maybe = client.tryOpen(1), isBusy = !maybe.present;
      if (isBusy) return isBusy === maybe.present;
      maybe.value.close();
    }
    const maybe = client.tryOpen(1), isFree = maybe.present; //! unconsumed-port
    if (isFree) work();`,
  "and, or": `
    const a = client.tryOpen(1), b = client.tryOpen(1);
    if (!a.present || !b.present) {
      if (a.present) a.value.close();
      b.present && b.value.close();
    } else { a.value.close(); b.value.close(); }
    const c = client.tryOpen(1); //! unconsumed-port
    if (c.present && ready) c.value.close();`,
  "a function asks, or it is disposed of as a whole": `
    function isOpen(maybe: Maybe<PartialPort<true>>): maybe is Present<PartialPort<true>> {
      return maybe.present;
    }
    const maybe = client.tryOpen(1), other = client.tryOpen(2);
    if (isOpen(maybe)) maybe.value.close();
    other[Symbol.dispose]();`,
  "an Either always has its port": `
    const look = client.open(1).send().query(); //! unconsumed-port
    if (look.arrived) look.value.close(); else wait();
    look.value.use(fill); //! use-after-move`,
  "value is taken out": `
    const maybe = client.tryOpen(1);
    if (maybe.present) {
      const { value: port } = maybe;
      port.close();
      maybe.value.use(fill); //! use-after-move
    }`,
  "are worked out from left to right": `
    const port = client.open(1);
    work(port.use(fill), port.close(), port.inbox); //! use-after-move`,
  "a spread array, or generator, gives its items": `
    function* more() { yield client.open(1); yield client.open(2); }
    function closeAll(...ports: PartialPort<true>[]): void { for (const port of ports) port.close(); }
    const [a, b] = [client.open(1), client.open(2)];
    closeAll(...[a], b, ...more());
    a.use(fill); //! use-after-move
    b.close(); //! double-move`,
  "each operation takes the port, and gives another one": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    a.close();
    a.close(); //! double-move
    const sent = b.send();
    b.close(); //! double-move
    sent.recv().close();
    sent.recv(); //! double-move unconsumed-port
    const look = c.send().query();
    if (look.arrived) look.value.close(); else look.value.recv().close();
    const back = await d.send().recvAsync();
    back.close();`,
  "use leaves it where it is": `
    const port = client.open(1); //! unconsumed-port
    port.use(fill);
    port.use(fill);
    client.open(1).use(fill); //! unconsumed-port`,
  "what nobody takes of an operation": `
    client.open(1).send(); //! unconsumed-port
    client.open(2).send().recv(); //! unconsumed-port
    client.open(3).send().query(); //! unconsumed-port
    await client.open(4).send().recvAsync(); //! unconsumed-port
    const index = client.open(5).index; //! unconsumed-port`,
  "work that throws has lost the port, but for use": `
    const fail = (packet) => { if (packet.laneCount === 0) throw new Error("empty"); };
    const port = client.open(2); //! unconsumed-port
    try { client.open(1).send(fail).close(); } catch { log(); }
    try { port.use(fail); port.close(); } catch { log(); }`,
  "an operation that throws has consumed the port": `
    const port = client.open(1), other = client.open(2);
    try { port.send().recv().close(); } catch { port.close(); } //! double-move
    try { other.send(fill).close(); } catch { other.close(); } //! double-move
    try { client.open(3).send(fill).recv(use).close(); } catch { log(); }`,
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
  "an exception that leaves": `
    export async function a() {
      const port = client.open(1); //! unconsumed-port
      await pause();
      throw new Error("bad");
    }`,
  "a port that comes owned may be a handler's": `
    export const handler: TypedHandler = (port) => { if (bad) throw new RangeError("bad"); port.close(); };
    export function a(port: PartialPort<true>) { if (bad) throw new Error("bad"); port.close(); }
    export function b(port: PartialPort<false>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port
    export function c(port: SentPort<0>) { if (bad) throw new Error("bad"); port.close(); } //! unconsumed-port`,
});
