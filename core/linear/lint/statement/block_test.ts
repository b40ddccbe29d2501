import { testMarked } from "../testdata/marked_source.ts";

testMarked("block", {
  "using closes at the end": `
    for (const part of parts) { using port = client.open(2); port.use(part); }
    function f() { using port = client.open(3); if (ready) return; if (bad) throw new Error("bad"); }
    async function g() { await using port = client.open(4); port.use(fill); }`,
  "using closes what has not moved on": `
    using port = client.open(1), maybe = client.tryOpen(2), other = client.tryOpen(3);
    port.send().close();
    port.use(fill); //! use-after-move
    if (other.present) other.value.close();
    using none = ready ? client.open(4) : undefined;`,
  "using closes what was declared last first": `
    class Closer { constructor(readonly work: () => void) {} [Symbol.dispose]() { this.work(); } }
    const other = client.open(2);
    using last = new Closer(() => other.close());
    using first = new Closer(() => port.use(fill)); //! use-after-move
    using port = client.open(1);
    other.use(fill);`,
  "an object that disposes of itself": `
    class Call { port = client.open(1); [Symbol.dispose]() { this.port.close(); } }
    class AsyncCall {
      port = client.open(2);
      async [Symbol.asyncDispose]() { await pause(); this.port.close(); } //! double-move
    }
    async function f() {
      using call = new Call();
      await using other = new AsyncCall();
      other.port.close();
    }`,
  "what using closes, and an object keeps that is gone itself": `
    class Holder {
      port: PartialPort<true> | undefined;
      begin() { using port = client.open(1); this.port = port; } //! use-after-move
      lend() { using port = client.open(2); const list = [port]; list[0].use(fill); }
    }
    new Holder().begin();
    new Holder().lend();`,
});
