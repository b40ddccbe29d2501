import { testMarked } from "../testdata/marked_source.ts";

testMarked("expression", {
  "casts change nothing": `
    const port = client.open(1) as unknown as TypedPort<0, 0>;
    (port as OwnedPort<0>).send()!.close();
    (port satisfies unknown)!.close(); //! double-move`,
  "never is the end where nobody goes on with the value": `
    function f(mode: Mode) {
      const port = client.open(1);
      if (mode === "a") return port.close();
      if (mode === "b") return mode as never;
      switch (mode) { case "c": port.close(); break; default: mode satisfies never; }
    }
    const sent = client.open(1).send({} as never); //! unconsumed-port
    const odd = elsewhere as never;`,
  "looking is no use": `
    const port = client.open(1);
    port.close();
    if (typeof port === "object" && port === other && !port) work();
    if (typeof port !== "object") port.close();
    if (typeof (() => port) !== "function") port.close();`,
  "a text that is put together": `
    const port = client.open(1), kind = \`\${"a"}-\${1}\`;
    if (kind === "a-1") port.close();
    work(\`port \${port.inbox}\`); //! use-after-move
    work(\`port \${port}\`);`,
  "template tags, void, delete": `
    const port = client.open(1);
    tag\`\${port}\`;
    void client.open(1); //! unconsumed-port
    const box: { port?: PartialPort<true> } = { port: client.open(2) }; //! unconsumed-port
    delete box.port;
    delete table.x;`,
  "a name that is not there yet": `
    if (ready) port.close();
    const port = client.open(1);
    port.close();`,
  "a name of another module, or of the language": `
    import { kept } from "./elsewhere.ts";
    globalThis.port = client.open(1);
    kept.close();
    kept.close();`,
  "a copy of what nobody knows has its parts": `
    export function f(call: { readonly sent: SentPort<0>; readonly id: number }) {
      const copy = { ...call, id: 2 };
      copy.sent.close();
      copy.sent.close(); //! double-move
    }`,
  "a generator that is over holds nothing": `
    function* gives() { const port = client.open(1); yield port.index; } //! unconsumed-port
    export const over = gives();
    for (const index of over) work(index);
    function* keeps() { const port = client.open(2); yield port.index; port.close(); }
    export const open = keeps();
    open.next();`,
});

testMarked("choice", {
  "one of two ports": `
    const a = client.open(1), b = client.open(2); //! unconsumed-port unconsumed-port
    (ready ? a : b).close();`,
  "both sides, or one": `
    const port = client.open(1);
    ready ? port.close() : port.send().close();
    const a = client.open(2), b = client.open(3), c = client.open(4); //! unconsumed-port unconsumed-port unconsumed-port
    ready ? a.close() : work();
    ready && b.close();
    ready || c.close();`,
  "a port or a new one": `
    let kept: PartialPort<true> | undefined, old: PartialPort<true> | undefined = elsewhere();
    const port = kept || client.open(1);
    port.close();
    const other = old ?? client.open(2);
    if (a ?? b) other.close(); else other.close();
    old?.close(); //! double-move`,
  "the last of a sequence": `
    (work(), client.open(1)).close();
    const other = (client.open(1), 1); //! unconsumed-port`,
});

testMarked("array and object", {
  "has what is in it, and a copy the same": `
    const port = client.open(1), other = client.open(2); //! unconsumed-port
    const { name, ...third } = { ...{ port, ["other"]: other, ...rest }, name: "b" };
    third.port.close();
    port.close(); //! double-move`,
  "its methods close what they see": `
    function begin() {
      const port = client.open(1); //! unconsumed-port
      return { use: (work) => port.use(work), close() { port.close(); } }; //! use-after-move
    }
    const call = begin();
    call.close();
    call.use(fill);
    begin().use(fill);`,
  "its methods are functions": `
    const api = {
      port: client.open(0),
      begin(): SentPort<0> { return client.open(1).send(fill); },
      end(sent: SentPort<0>) { this.port.close(); sent.close(); },
    };
    api.end(api.begin());
    api.begin(); //! unconsumed-port
    api.port.use(fill); //! use-after-move`,
  "what it is said to be tells what its functions get and give": `
    const handlers = {
      echo: (port) => { if (bad) throw new RangeError("bad"); port.send(work).close(); },
      keep: (port) => { if (bad) return; port.send(work).close(); }, //! unconsumed-port
    } satisfies Record<string, TypedHandler>;
    const all: Map<number, TypedHandler> = new Map([
      [1, (port) => port.use(work)], //! unconsumed-port
    ]);
    const visitor: { sent(port: SentPort<0>): void } = {
      sent(port) { log(port.index); }, //! unconsumed-port
    };
    const start: () => void = () => client.open(1); //! unconsumed-port
    const make: () => PartialPort<true> = () => client.open(1);`,
});

testMarked("JSX", {
  "a component has what it is given": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    const view = <Panel port={a} title="panel" {...rest}>{b}<b>text</b></Panel>;
    const button = <Button onClick={() => c.close()} {...rest}>{label}</Button>;
    const all = <><Line>{() => client.open(1)}</Line>{client.open(2)}</>;`,
});

testMarked("yield", {
  "what was yielded is not its own any more": `
    function* ports(): Generator<PartialPort<true>> {
      const port = client.open(1);
      yield port;
      port.close(); //! double-move
    }
    for (const port of ports()) port.close();`,
  "what it gets back is what it is told": `
    function* calls(): Generator<number, void, PartialPort<true>> {
      const port = yield 1; //! unconsumed-port
      (yield 2).close();
    }
    const running = calls();
    running.next();
    running.next(client.open(1));
    running.next(client.open(2));`,
  "all that another one yields": `
    function* inner() { yield client.open(1); return client.open(2); }
    function* outer() { const last = yield* inner(); last.close(); yield* [client.open(3)]; }
    for (const port of outer()) port.close();
    function* forgets() { yield* inner(); } //! unconsumed-port
    for (const port of forgets()) port.close();`,
  "a generator in another one ends, throws and goes on with it": `
    function* inner(port: OwnedPort<0>): Generator<number, void, number> {
      try { while ((yield port.index) > 0) work(); } finally { port.close(); }
    }
    function* outer() { yield* inner(client.open(1)); }
    for (const index of outer()) if (index === wanted) break;
    function* caught() {
      const port = client.open(2);
      try { yield 1; } catch { port.close(); throw new Error("again"); }
      port.close();
    }
    function* around() { yield* caught(); }
    const thrown = around();
    thrown.next();
    try { thrown.throw(new Error("bad")); } catch { work(); }
    function* kept() { const port = client.open(3); yield 1; port.close(); } //! unconsumed-port
    function* loses() { yield* kept(); }
    for (const _ of loses()) break;`,
  "numbers that may be any are others": `
    export function f(isValid: boolean) {
      const port = client.open(1);
      const status = isValid ? 201 : 422;
      if (status === 201) port.send().close();
      if (status === 422) port.close();
    }`,
});
