import { testMarked } from "../testdata/marked_source.ts";

testMarked("call", {
  "to a function that takes a port": `
    function finish(port: PartialPort<true>): void { port.close(); }
    const kept: PartialPort<true>[] = [];
    function keep(port: PartialPort<true>): void { kept.push(port); }
    function show(port: Lent<PartialPort<true>>): void {}
    const port = client.open(1);
    finish(port);
    keep(port); //! double-move
    show(port); //! use-after-move`,
  "to a function that says nothing": `
    function show(port) { console.log(port.index); }
    function end(port) { port.close(); }
    const port = client.open(1);
    end(port);
    end(port); //! double-move
    show(client.open(3)); //! unconsumed-port`,
  "to a function that disposes": `
    function release(resource: Disposable): void { resource[Symbol.dispose](); }
    const port = client.open(1);
    port.send().close();
    release(port);
    release(move(client.open(3)));`,
  "what comes back is the caller's": `
    function begin(): SentPort<0> | SentPort<1> { return client.open(1).send(fill); }
    begin().recv(use).close();
    begin(); //! unconsumed-port`,
  "closures share what their function had": `
    function make() {
      let [port, isOpen] = [client.open(1), true];
      const close = () => { if (isOpen) port.close(); isOpen = false; };
      return { close, end: () => port.close(), renew: () => { port.close(); port = client.open(1); } }; //! double-move
    }
    const first = make(), second = make();
    for (const work of [first.renew, first.close, first.close, second.close]) work();
    second.end();`,
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
  "of a function of which nobody knows that it ends the program": `
    function stop(): never { throw new Error("stop"); }
    const maybe = client.tryOpen(1);
    if (!maybe.present) stop();
    maybe.value.close();`,
  "a module that is asked for later": `
    const port = client.open(1);
    const other = await import("./elsewhere.ts");
    other.begin();
    port.close();`,
  "what comes of a packet has its type": `
    type Words = { getUint32(lane: number, word: number): number; word: number | undefined };
    export function f() {
      const port = client.open(1), other = client.open(1); //! unconsumed-port
      let answer: number | undefined, open: number | undefined;
      port.use((packet: Words) => { answer = packet.getUint32(0, 0); open = packet.word; });
      if (answer !== undefined) port.close();
      if (open !== undefined) other.close();
    }`,
});
