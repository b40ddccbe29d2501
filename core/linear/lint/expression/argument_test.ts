import { testMarked } from "../testdata/marked_source.ts";

testMarked("argument", {
  "a helper that says what it takes": `
    function finish(port: PartialPort<true>): void { port.close(); }
    const port = client.open(1);
    finish(port);
    finish(port); //! double-move`,
  "a helper that says nothing closes": `
    function end(port) { port.close(); }
    const port = client.open(1);
    end(port);
    end(port); //! double-move`,
  "a helper that says nothing looks": `
    function show(port) { console.log(port.index); }
    const port = client.open(1); //! unconsumed-port
    show(port);
    show(client.open(2)); //! unconsumed-port`,
  "a helper that works on what was closed": `
    function fill(port) { port.use(work); }
    const port = client.open(1);
    port.close();
    fill(port); //! use-after-move`,
  "a helper of helpers": `
    function outer(port) { inner(port); }
    function inner(port) { port.close(); }
    const port = client.open(1);
    outer(port);
    port.use(fill); //! use-after-move`,
  "a helper that disposes takes anything": `
    function release(resource: Disposable): void { resource[Symbol.dispose](); }
    const port = client.open(1);
    port.send().close();
    release(port);
    const other = client.open(2);
    release(other);
    const third = client.open(3);
    release(move(third));`,
  "a helper that borrows what its type names": `
    function indexOf({ index }: { readonly index: number }): number { return index; }
    const port = client.open(1); //! unconsumed-port
    indexOf(port);`,
  "a guard only answers": `
    function isLow(port: PartialPort<true>): port is OwnedPort<0> { return port.inbox === 0; }
    const port = client.open(1);
    if (isLow(port)) port.send().close();
    else port.close();`,
  "the rest of the inputs": `
    function closeAll(...ports: PartialPort<true>[]): void {
      for (const port of ports) port.close();
    }
    const [a, b] = [client.open(1), client.open(2)];
    closeAll(a, b);
    a.use(fill); //! use-after-move`,
  "a client": `
    function ask(rpc: TypedClient) {
      rpc.open(1); //! unconsumed-port
    }
    ask(new TypedClient(channel));`,
  "two kinds of input are not followed": `
    function take(value) { value.close(); }
    take(client.open(1));
    take(client.tryOpen(1));`,
  "a helper of a handler may throw, too": `
    function reply(port: PartialPort<true>): void {
      if (bad) throw new RangeError("bad");
      port.send(work).close();
    }
    server.operatePort(1, (port) => reply(port));`,
  "a helper of a client may not": `
    function ask(port: PartialPort<true>): void { //! unconsumed-port
      if (bad) throw new RangeError("bad");
      port.send(work).close();
    }
    ask(client.open(1));`,
});
