import { testMarked } from "../testdata/marked_source.ts";

testMarked("expression", {
  "what gives a value that nobody looked at is followed, too": `
    const sent = client.open(1).send();
    sent.query().value.close(); //! unchecked-maybe`,
  "casts change nothing": `
    const port = client.open(1) as unknown as TypedPort<0, 0>;
    (port as OwnedPort<0>).send()!.close();
    (port satisfies unknown)!.close(); //! double-move`,
  "kept in an array or an object": `
    const ports = [client.open(1)];
    const port = client.open(2);
    const pair = { port, other: client.open(3), ...rest };
    list.push(client.open(4));`,
  "looked at": `
    const port = client.open(1);
    port.close();
    if (typeof port === "object" && port === other && !port) work();`,
  "printed": `
    const port = client.open(1);
    port.close();
    work(\`port \${port.inbox}\`); //! use-after-move
    work(\`port \${port}\`); //! use-after-move`,
  "yielded": `
    function* ports() { yield client.open(1); const port = client.open(2); yield port; }`,
  "awaited": `
    async function f() {
      const port = await client.openAsync(1);
      const back = await port.send(fill).recvAsync(use);
      back.close();
      await port.send(); //! double-move unconsumed-port
    }`,
  "by key": `
    const port = client.open(1);
    table[port.index] = 1;
    port.close();
    table[port.outbox] = 2; //! use-after-move
    port["use"](fill); //! use-after-move`,
  "which port it was may be asked for ever": `
    const port = client.open(1);
    port.close();
    work(port.index);`,
  "a promise that is chained": `
    client.openAsync(1).then((port) => port.close());
    const pending = client.openAsync(2);
    pending.then((port) => port.send(fill).recvAsync()).catch(report); //! unconsumed-port
    const other = client.openAsync(3);
    other.catch(report);
    (await other).close();`,
  "template tags, new, delete, void": `
    const port = client.open(1);
    tag\`\${port}\`;
    void client.open(1); //! unconsumed-port
    delete table.x;`,
  "in JSX": `
    const port = client.open(1);
    const other = client.open(2);
    const button = <Button onClick={() => port.close()} of={other} {...rest}>{label}</Button>;
    const none = <><Button onClick={() => {
      client.open(3); //! unconsumed-port
    }} /></>;`,
  "disposed of": `
    const port = client.open(1);
    port[Symbol.dispose]();
    const sent = client.open(1).send();
    sent.close();
    sent[Symbol.dispose]();
    client.open(2)[Symbol.dispose]();`,
  "a class expression": `
    const C = class extends Base { port = client.open(1); run() { client.open(1).close(); } };`,
  "void lets go of a promise": `
    const port = client.open(1);
    void delay(1).then(() => port.close());
    port.close(); //! double-move`,
});

testMarked("object", {
  "an object has what is in it": `
    const port = client.open(1);
    const call = { port, other: client.open(2), ["third"]: client.open(3), ...rest };`,
  "its methods may close what they see": `
    function begin() {
      const port = client.open(1);
      return { use: (work) => port.use(work), close() { port.close(); } };
    }`,
  "its methods are functions": `
    const api = {
      begin(): SentPort<0> { return client.open(1).send(fill); },
      end(sent: SentPort<0>) { sent.close(); },
      forget() {
        client.open(2); //! unconsumed-port
      },
    };
    api.end(api.begin());
    api.begin(); //! unconsumed-port`,
  "what it is said to be tells what its functions get": `
    const handlers = {
      echo: (port) => port.send(work).close(),
      keep: (port) => port.use(work), //! unconsumed-port
    } satisfies Record<string, TypedHandler>;
    const all: Map<number, TypedHandler> = new Map([
      [1, (port) => port.use(work)], //! unconsumed-port
    ]);`,
  "never is the end": `
    function f(mode: Mode) {
      const port = client.open(1);
      switch (mode) {
        case "a": port.close(); break;
        case "b": port.close(); break;
        default: mode satisfies never;
      }
    }`,
  "a cast to never is the end where nobody goes on with the value": `
    function f(mode: Mode) {
      const port = client.open(1);
      if (mode === "a") return port.close();
      if (mode === "b") return port.send().close();
      return mode as never;
    }
    function g() {
      const sent = client.open(1).send({} as never); //! unconsumed-port
      const odd = elsewhere as never;
    }`,
});

testMarked("JSX", {
  "a component has what it is given": `
    const [a, b] = [client.open(1), client.open(2)];
    const view = <Panel port={a} title="panel" {...rest}>{b}<b>text</b></Panel>;`,
  "a listener may close": `
    const port = client.open(1);
    const view = <Button onClick={() => port.close()} />;`,
  "what a listener returns is nobody's": `
    const view = <Button
      onClick={() => client.open(1).send()} //! unconsumed-port
      onHold={() => client.open(1).close()}
      make={() => client.open(1)}
    />;
    button.onclick = () => client.open(1); //! unconsumed-port
    button.addEventListener("click", () => client.open(1)); //! unconsumed-port`,
  "in a fragment": `
    const view = <><Line>{() => client.open(1)}</Line>{client.open(2)}</>; //! unconsumed-port`,
});

testMarked("choice", {
  "one of two ports": `
    const a = client.open(1); //! unconsumed-port
    const b = client.open(2); //! unconsumed-port
    const port = ready ? a : b;
    port.close();`,
  "closed on both sides": `
    const port = client.open(3);
    ready ? port.close() : port.send().close();`,
  "closed on one side": `
    const port = client.open(1); //! unconsumed-port
    ready ? port.close() : work();`,
  "closed only if": `
    const port = client.open(1); //! unconsumed-port
    ready && port.close();`,
  "closed unless": `
    const port = client.open(1); //! unconsumed-port
    ready || port.close();`,
  "a port or a new one": `
    let kept: PartialPort<true> | undefined;
    const port = kept || client.open(1);
    port.close();`,
  "a port or a new one, then the old name": `
    let kept: PartialPort<true> | undefined = elsewhere();
    const port = kept ?? client.open(1);
    port.close();
    kept?.close(); //! double-move`,
  "the last of a sequence": `
    const port = (work(), client.open(1));
    port.close();
    const other = (client.open(1), 1); //! unconsumed-port`,
});

testMarked("new", {
  "a class of this file takes what it says that it takes": `
    class Session {
      constructor(private readonly port: PartialPort<true>) {}
      close() { this.port.close(); }
    }
    const port = client.open(1);
    const session = new Session(port);
    port.use(fill); //! use-after-move
    session.close();`,
  "a class of this file that keeps what it gets": `
    class Holder { constructor(port) { this.port = port; } }
    const port = client.open(1);
    new Holder(port);
    port.use(fill);`,
  "a class of this file that loses what it gets": `
    class Loser {
      constructor(port: PartialPort<true>) { //! unconsumed-port
        port.use(fill);
      }
    }
    new Loser(client.open(1));`,
  "a promise runs its function at once": `
    const port = client.open(1);
    const done = new Promise((resolve) => { port.close(); resolve(); });
    port.use(fill); //! use-after-move`,
  "a class may do what its methods do": `
    const port = client.open(1);
    class Closer { close() { port.close(); } }
    const closer = new Closer();
    const other = client.open(2);
    new (class { close() { other.close(); } })();`,
});
