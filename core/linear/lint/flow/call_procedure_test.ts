import { testMarked } from "../testdata/marked_source.ts";

testMarked("call of a procedure", {
  "each call goes on where it stands": `
    let port: PartialPort<true> | undefined;
    function open() { port = client.open(1); }
    function shut() { port?.close(); port = undefined; }
    shut();
    open();
    shut();
    open(); //
    shut();
    port?.use(fill);`,
  "two ways in do not mix": `
    const a = client.open(1);
    const b = client.open(2);
    function touch() { a.use(fill); b.use(fill); } //! use-after-move
    touch();
    a.close();
    if (ready) touch();
    b.close();`,
  "what it throws reaches the caller's catch": `
    const port = client.open(1);
    function send() { check(); port.send().close(); }
    try { send(); } catch {
      port.close(); //! double-move
    }`,
  "recursion comes to an end": `
    const port = client.open(1);
    const down = (count: number): void => { if (count > 0) down(count - 1); };
    down(3);
    port.close();`,
});
