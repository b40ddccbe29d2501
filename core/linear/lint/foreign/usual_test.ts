import { testMarked } from "../testdata/marked_source.ts";

testMarked("usual", {
  "what is known to throw, and what never throws": `
    export function known(text: string) {
      try {
        const port = client.open(1); //! unconsumed-port
        JSON.parse(text);
        port.close();
      } catch { log(); }
    }
    export function never(text: string) {
      const port = client.open(1);
      try { console.log(text); performance.now(); crypto.randomUUID(); port.close(); } catch { log(); }
    }`,
  "functions that end the program, and one by such a name": `
    const [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    if (bad) Deno.exit(1);
    if (worse) process.exit(1);
    a.close();
    if (worst) exit(1); else b.close();`,
  "a listener that is told off": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    const endA = () => a.close();
    socket.on("close", endA);
    socket.off("close", endA);
    a.close();
    socket.on("end", () => c.close());
    socket.removeAllListeners();
    c.close();
    const stop = socket.on("close", () => b.close());
    stop();
    b.close();
    socket.on("close", () => d.close()); //! double-move
    socket.off("close", () => {});
    d.close();`,
  "an assertion holds from then on": `
    const [a, b, c, d] = [client.tryOpen(1), client.tryOpen(2), client.tryOpen(3), client.tryOpen(4)];
    assert(a.present);
    a.value.close();
    assertFalse(!b.present);
    b.value.close();
    assertEquals(c.present, true);
    c.value.close();
    assertExists(d);
    d.value.close(); //! unchecked-maybe`,
});
