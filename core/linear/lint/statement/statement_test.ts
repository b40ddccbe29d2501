import { testMarked } from "../testdata/marked_source.ts";

testMarked("branching", {
  "a case that forgets, and default first": `
    const port = client.open(1), other = client.open(2); //! unconsumed-port
    switch (kind) { case 1: port.close(); break; case 2: break; }
    switch (kind) { default: other.close(); break; case 1: case 2: other.close(); break; }`,
  "a case that goes on with the next": `
    const port = client.open(2);
    switch (kind) { case 1: port.close(); default: port.close(); } //! double-move`,
  "a switch of what is known, in a loop": `
    for (const kind of ["a", "b"]) {
      const port = client.open(1);
      switch (kind) {
        case "a": port.close(); continue;
        case "b": port.send().close(); break;
        default: port.use(fill);
      }
    }`,
  "a label is left": `
    const port = client.open(1); //! unconsumed-port
    done: if (a) { if (b) break done; port.close(); } else if (c) port.use(fill); else port.close();`,
});

testMarked("namespace", {
  "has what it declares": `
    namespace Calls {
      export const port = client.open(1);
      export namespace Inner.Most { export function end() { port.close(); } }
      client.open(2); //! unconsumed-port
    }
    Calls.Inner.Most.end();
    Calls.port.use(fill); //! use-after-move`,
  "is part of a class": `
    class Call { port = client.open(1); } //! unconsumed-port
    namespace Call { export const begin = () => new Call(); }
    namespace Call { export type Port = PartialPort<true>; }
    Call.begin().port.close();
    new Call();
    declare namespace Deno { const port: PartialPort<true>; }
    if (ready) Deno.exit();`,
});

testMarked("try", {
  "sending cannot fail, the work on it can": `
    let port: PartialPort<true> | undefined = client.open(1);
    try { const sent = port.send(); port = undefined; sent.close(); } finally { port?.close(); }
    port = client.open(2);
    try { const sent = port.send(fill); port = undefined; sent.close(); } finally { port?.close(); } //! double-move`,
  "what is thrown is what is caught": `
    const port = client.open(1);
    try { throw { port, kind: 1 }; } catch ({ port: caught, kind }) { if (kind === 1) caught.close(); }
    port.use(fill); //! use-after-move`,
  "caught and thrown on, through what comes in any case": `
    function f() {
      const port = client.open(1), other = client.open(2); //! unconsumed-port
      try {
        try { if (bad) throw new Error("bad"); port.close(); } catch (error) { throw error; }
      } finally { other.close(); }
    }`,
  "a finally that returns loses what was returned": `
    function f() { const port = client.open(1); try { return port; } finally { return undefined; } } //! unconsumed-port`,
});
