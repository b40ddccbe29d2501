import { testMarked } from "../testdata/marked_source.ts";

testMarked("condition", {
  "what was decided stays decided": `
    const isLast: boolean = ask();
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port
    if (isLast) a.close();
    if (!isLast) a.close();
    if (isLast) b.close();
    if (isLast) b.close(); //! double-move
    else b.close();
    if (isLast === true) c.close();`,
  "each call is a question of its own": `
    const port = client.open(1); //! unconsumed-port
    if (ask()) port.close();
    if (!ask()) port.close(); //! double-move`,
  "a flag of the program is what it was set to": `
    let isOpen = false, port: PartialPort<true> | undefined;
    if (ask()) { port = client.open(1); isOpen = true; }
    if (isOpen) port!.close();`,
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
  "what is equal to something is true or false as that is": `
    export function f(name: string, count: number, port: OwnedPort<0>, other: OwnedPort<0>) {
      if (name === "last") { if (name) port.close(); } else port.close();
      if (count === 0) { if (!count) other.close(); } else other.close();
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
  "an object is always there, and nothing never": `
    export function f(options: { readonly isLast: boolean }, port: OwnedPort<0>) {
      if (options) port.close();
    }
    export function g(nothing: undefined, port: OwnedPort<0>) { if (!nothing) port.close(); }
    export function h(options: object | undefined, port: OwnedPort<0>, other: OwnedPort<0>) { //! unconsumed-port
      if (options) port.close();
      if (options === undefined) port.close();
      if (options) other.close();
    }`,
  "null is not undefined": `
    export function f(name: string | null | undefined, port: OwnedPort<0>) { //! unconsumed-port
      if (name === null) port.close();
      else if (name !== undefined) port.close();
    }
    export function g(name: string | null | undefined, port: OwnedPort<0>) {
      if (name === undefined) port.close();
      if (name === null) port.close();
      if (name != null) port.close();
    }`,
  "two ports are two": `
    const a = client.open(1), b = client.open(2), c = client.open(3);
    if (a !== b) a.close();
    if (b === b) b.close();
    if (c.index !== b.index) c.close();`,
  "what is one of a type that is an object is there": `
    interface Ranked { readonly rank: number }
    export function first<T extends Ranked>(items: T[]) {
      const port = client.open(1), [item] = items;
      if (items.length > 0 && item) port.close();
      else if (items.length > 0) port.use(fill);
      else port.close();
    }`,
  "two that are the same are one": `
    export function f(a: object, b: object, c: object) {
      const port = client.open(1);
      if (a !== b && b === c && a === c) client.open(2);
      if (b === c && (a === b) !== (a === c)) client.open(3);
      port.close();
    }`,
  "a number that is not 0": `
    export function f(count: number) {
      const port = client.open(1);
      if (count !== 0) port.close();
      if (!count) port.close();
      if (count > 0 && !count) port.close();
    }`,
});
