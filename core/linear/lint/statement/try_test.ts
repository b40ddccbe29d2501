import { testMarked } from "../testdata/marked_source.ts";

testMarked("try", {
  "finally closes": `
    const port = client.open(1);
    try { port.use(fill); } finally { port.close(); }`,
  "finally closes on every way out": `
    function f() {
      for (const x of xs) {
        const port = client.open(1);
        try {
          if (a) return 1;
          if (b) break;
          if (c) continue;
          if (d) throw new Error("d");
          port.use(fill);
        } finally { port.close(); }
      }
    }`,
  "finally closes what was closed": `
    const port = client.open(1);
    try {
      port.use(fill);
      port.close();
    } finally {
      port.close(); //! double-move
    }`,
  "sending cannot fail, the work on it can": `
    let port: PartialPort<true> | undefined = client.open(1);
    try {
      const sent = port.send();
      port = undefined;
      sent.recv().close();
    } finally { port?.close(); }
    let other: PartialPort<true> | undefined = client.open(2);
    try {
      const sent = other.send(fill);
      other = undefined;
      sent.close();
    } finally { other?.close(); } //! double-move`,
  "catch loses the port": `
    const port = client.open(1); //! unconsumed-port
    try {
      port.use(fill);
      port.close();
    } catch { report(); }`,
  "catch closes the port, but send may have": `
    const port = client.open(1);
    try {
      port.use(fill);
      port.send(fill).close();
    } catch {
      port.close(); //! double-move
    }`,
  "only using can throw": `
    const port = client.open(1);
    try { port.use(fill); } catch (error) { port.close(); throw error; }
    port.close();`,
  "a chain owns its port": `
    const port = client.open(1);
    try { port.send(fill).recv(use).close(); } catch (error) { report(error); }`,
  "a port of the try block": `
    try {
      const port = client.open(1);
      port.use(fill);
      port.close();
    } catch { report(); }`,
  "throw with a live port": `
    function f() {
      const port = client.open(1); //! unconsumed-port
      if (bad) throw new Error("bad");
      port.close();
    }`,
  "throw into a catch that closes": `
    const port = client.open(1);
    try {
      if (bad) throw new Error("bad");
    } catch { report(); }
    port.close();`,
  "using needs no finally": `
    using port = client.open(1);
    if (bad) throw new Error("bad");
    port.send().close();`,
  "return from finally": `
    function f() {
      const port = client.open(1);
      try { port.close(); } finally { if (a) return; }
    }`,
  "return from finally before the close": `
    function f() {
      const port = client.open(1); //! unconsumed-port
      try { work(); } finally { if (a) return; }
      port.close();
    }`,
  "nested finalizers run inside out": `
    function f() {
      const a = client.open(1);
      try {
        const b = client.open(2);
        try { return work(); } finally { b.close(); }
      } finally { a.close(); }
    }`,
  "a finalizer's name is not the inner one": `
    const port = client.open(1);
    try {
      const port = client.open(2); //! unconsumed-port
      if (a) throw new Error("a");
      port.close();
    } finally { port.close(); }`,
  "catch rethrows": `
    const port = client.open(1);
    try { port.use(fill); } catch (error) { port.close(); throw error; }
    port.send().close();`,
  "the catch variable shadows": `
    const port = client.open(1);
    try { work(); } catch (port) { port.close(); }
    port.close();`,
});
