import { testMarked } from "../testdata/marked_source.ts";

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
