import { testMarked } from "../testdata/marked_source.ts";

testMarked("transfer", {
  "a name has what another one had": `
    const maybe = client.tryOpen(1);
    const other = maybe; //! unchecked-maybe
    let port: PartialPort<true> | undefined;
    if (ready) port = client.open(1);
    const same = port;
    same?.close();
    const closed = client.open(2);
    closed.close();
    const again = closed; //! double-move unconsumed-port`,
  "what is handed on belongs to whoever has it, unless it was consumed": `
    const [a, b] = [client.open(1), client.open(2)];
    keep(() => a.close());
    a.close();
    b.close();
    keep(() => b.close()); //! double-move
    b.use(fill); //! use-after-move`,
  "an async function that never ends gives its promise": `
    const port = client.open(1);
    async function turn() { for (;;) await pause(); }
    turn();
    port.close();
    port.close(); //! double-move`,
  "a call makes of a port what it does with one in its state": `
    let port: PartialPort<true> | undefined;
    const shut = () => { port?.close(); port = undefined; };
    function stop(): never { throw new Error("stop"); }
    shut();
    port = client.open(1);
    shut();
    if (ready) {
      const lost = client.open(2);
      stop();
    }`,
});
