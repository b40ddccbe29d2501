import { testMarked } from "../testdata/marked_source.ts";

testMarked("jump", {
  "early return": `
    function f() {
      const port = client.open(1); //! unconsumed-port
      if (ready) return 1;
      port.close();
    }`,
  "early return of the port": `
    function f() {
      const port = client.open(1);
      if (ready) return port;
      return port.send().recv();
    }`,
  "code after return is not looked at": `
    function f() {
      const port = client.open(1);
      port.close();
      return;
      port.close();
    }`,
  "return leaves all blocks": `
    function f() {
      const a = client.open(1); //! unconsumed-port
      { const b = client.open(2); //! unconsumed-port
        for (;;) { if (ready) return; }
      }
    }`,
  "break leaves the block, not the function": `
    const a = client.open(1);
    for (;;) {
      const b = client.open(2); //! unconsumed-port
      if (ready) break;
      b.close();
    }
    a.close();`,
  "break in a switch in a loop": `
    for (const x of xs) {
      const port = client.open(1);
      switch (x) { case 1: break; default: work(); }
      port.close();
    }`,
  "throw past a called function": `
    function stop(): never { throw new Error("stop"); }
    const port = client.open(1);
    if (bad) stop();
    port.close();`,
  "a finalizer may jump, too": `
    for (const x of xs) {
      const port = client.open(1);
      try { if (x) break; } finally { port.close(); if (y) continue; }
    }`,
});
