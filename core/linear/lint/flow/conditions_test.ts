import { testMarked } from "../testdata/marked_source.ts";

testMarked("conditions", {
  "how many there are": `
    export function f(count: number) {
      const ports = Array.from({ length: count }, () => client.open(1));
      if (ports.length === 0) return;
      for (const port of ports) port.close();
      const others = Array.from({ length: count }, () => client.open(1)); //! unconsumed-port
      if (count === 0) return;
      for (const port of others) port.close();
    }
    export function g(ports: PartialPort<true>[], opcodes: readonly number[]) {
      const all = opcodes.map((opcode) => client.open(opcode));
      if (all.length > 0) ports.push(...all);
    }`,
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
  "taken without a look": `
    client.tryOpen(1).value.close(); //! unchecked-maybe
    client.open(1).send().query().value.close(); //! unchecked-maybe
    const maybe = client.tryOpen(1), port = maybe.value; //! unchecked-maybe
    port.close();`,
  "a union whose states say whether there is one": `
    type Lease = { readonly ok: true; readonly port: OwnedPort<0> } | { readonly ok: false };
    declare function lease(): Lease;
    export function f(name: string) {
      const result = lease(); //! unconsumed-port
      if (!result.ok || name === "") return;
      result.port.close();
    }
    export function g() { const result = lease(); if (result.ok === true) result.port.close(); }`,
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
  "a function that knows what a port is": `
    type Value = number | PartialPort<true>;
    const isPort = (value: Value): value is PartialPort<true> => typeof value === "object";
    export function end(value: Value) { if (isPort(value)) value.close(); }`,
});
