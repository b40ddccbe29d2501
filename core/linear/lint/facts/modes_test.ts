import { testMarked } from "../testdata/marked_source.ts";

testMarked("modes", {
  "a function takes a port where its type says that it gets one": `
    declare function put(port: PartialPort<true>): void;
    declare const sink: { put(port: PartialPort<true>): void };
    const [a, b] = [client.open(1), client.open(2)];
    put(a);
    a.close(); //! double-move
    sink.put(b);
    b.use(fill); //! use-after-move`,
  "nothing that comes of a packet is a port": `
    client.open(1).send((packet) => { packet.port.close(); packet.port.close(); }).close();`,
  "the last parameter speaks for the rest": `
    declare function endAll(...ports: PartialPort<true>[]): void;
    declare function note(text: string, ...ports: { readonly index: number }[]): void;
    const [a, b] = [client.open(1), client.open(2)];
    note("", b, b);
    endAll(a, b);
    b.close(); //! double-move`,
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
  "to a function that takes a port": `
    function finish(port: PartialPort<true>): void { port.close(); }
    const kept: PartialPort<true>[] = [];
    function keep(port: PartialPort<true>): void { kept.push(port); }
    function show(port: Lent<PartialPort<true>>): void {}
    const port = client.open(1);
    finish(port);
    keep(port); //! double-move
    show(port); //! use-after-move`,
  "who borrows and says that it takes is named, and nobody else": `
    function read(port: PartialPort<true>): number { port.use(fill); return port.index; } //! unconsumed-port
    read(client.open(1));
    const port = client.open(2);
    read(port);`,
  "what comes back is the caller's": `
    function begin(): SentPort<0> | SentPort<1> { return client.open(1).send(fill); }
    begin().recv(use).close();
    begin(); //! unconsumed-port`,
  "a client is handed on": `
    function ask(rpc: TypedClient) { rpc.open(1); } //! unconsumed-port
    ask(new TypedClient(channel));`,
  "optional": `
    let end: (() => void) | undefined;
    const port = client.open(3); //! unconsumed-port
    if (ready) end = () => port.close();
    end?.();
    const other = client.open(2);
    if (!sink?.put(other)) other.close();`,
  "what wants a Lent port only looks": `
    interface Filling { readonly port: Lent<PartialPort<true>> }
    const fillOne = ({ port }: Filling) => port.use(fill);
    const port = client.open(1);
    fillOne({ port });
    const seen: Lent<PartialPort<true>>[] = [port];
    const lent: Lent<PartialPort<true>> = port;
    port.close();
    function of(port: PartialPort<true>): Lent<PartialPort<true>> { return port; } //! unconsumed-port`,
  "a copy takes what it does not get itself": `
    interface Call { readonly id: number; readonly port: PartialPort<true> }
    const next = (call: Call) => ({ ...call, port: call.port.send().recv() });
    const both = (call: Call) => { const copy = { ...call, id: 2 }; copy.port.close(); };
    function twice(call: Call) {
      const copy = { ...call, id: 2 };
      copy.port.close();
      call.port.close(); //! use-after-move
    }`,
  "a list that is written for its loop": `
    using a = client.open(1), b = client.open(2);
    for (const port of [a, b]) port.use(fill);
    [a, b].forEach((port) => port.use(fill));
    for (const port of [client.open(3)]) port.use(fill); //! unconsumed-port`,
  "who only looks": `
    const port = client.open(1), open = new Set([port.index]), names = new WeakMap<object, string>();
    port.close();
    console.log(port, String(port), names.get(port), open.has(port.index));`,
});
