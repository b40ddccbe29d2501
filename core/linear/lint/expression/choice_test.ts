import { testMarked } from "../testdata/marked_source.ts";

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
