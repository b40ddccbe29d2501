import { assertEquals } from "@std/assert";
import { findingsAmong, testMarked } from "../testdata/marked_source.ts";

testMarked("callback", {
  "a function that is lent a port leaves it where it is": `
    function lending(work: (port: PartialPort<true>) => void) {
      const port = client.open(1);
      try { work(port); } finally { port.close(); }
    }
    lending((port) => port.use(fill));
    lending((port: PartialPort<true>) => port.use(fill));
    lending((port) => port.close()); //! double-move`,
  "a function that is given one sees to its end": `
    const giving = (work: (port: PartialPort<true>) => void) => work(client.open(1));
    function passing(work: (port: PartialPort<true>) => void) { giving(work); }
    giving((port) => port.close());
    giving((port) => port.use(fill)); //! unconsumed-port
    passing((port) => port.use(fill)); //! unconsumed-port`,
  "a port that using covers is closed by either": `
    function covering(work: (port: PartialPort<true>) => void) {
      using port = client.open(1);
      work(port);
    }
    covering((port: PartialPort<true>) => port.use(fill));
    covering((port) => port.close());`,
  "where the body does not tell": `
    const listeners: ((port: PartialPort<true>) => void)[] = [];
    const storing = (work: (port: PartialPort<true>) => void) => listeners.push(work);
    function trying(work: (port: PartialPort<true>) => void) {
      const port = client.open(1);
      try { work(port); } catch { port.close(); }
    }
    function renewing(work: (port: PartialPort<true>) => void) {
      let port = client.open(1);
      while (ready) { work(port); port = client.open(2); }
      port.close();
    }
    function lending(work: (port: PartialPort<true>) => void) {
      const all = [client.open(1), client.open(2)];
      all.forEach((port) => work(port));
      for (const port of all) work(port);
      for (const port of all) port.close();
    }
    storing((port) => port.use(fill));
    renewing((port) => port.close());
    lending((port) => port.use(fill));
    trying((port) => port.use(fill));
    trying((port) => port.close());`,
  "a method of an object that an interface describes": `
    interface Visitor { sent(port: SentPort<0>): void }
    const visitor: Visitor = {
      sent(port) { log(port.index); }, //! unconsumed-port
    };`,
  "results that nobody takes": `
    const ports = [client.open(1)];
    ports.map((port) => port.send()); //! unconsumed-port
    const sent = ports.map((port) => port.send()); //! double-move
    await Promise.all(sent.map((port) => port.recvAsync())); //! unconsumed-port
    await Promise.all([client.openAsync(1)]); //! unconsumed-port
    await Promise.all(sent.map(async (port) => (await port.recvAsync()).close())); //! double-move`,
  "a function that runs what it is given twice": `
    function twice(work: () => void) { work(); work(); }
    const port = client.open(1); //! unconsumed-port
    twice(() => port.use(fill));
    twice(() => port.close()); //! double-move
    const ports = { *[Symbol.iterator]() { yield client.open(1); } };
    for (const one of ports) one.use(fill); //! unconsumed-port`,
  "a function that gives what it is given to a timer": `
    const later = (work: () => void) => { setTimeout(work, 10); };
    const cancel = (work: () => void) => { return setTimeout(work, 10); };
    server.operatePort(1, (port) => { later(() => port.close()); }); //! use-after-move
    const [a, b] = [client.open(1), client.open(2)];
    later(() => a.close());
    a.close(); //! double-move
    cancel(() => b.close());
    b.close();`,
  "a round that goes on": `
    function* ports() { yield client.open(1); }
    for (const port of ports()) { //! unconsumed-port
      if (port.index === 1) continue;
      port.close();
    }`,
});

Deno.test("a handler is one, whichever file gives it to the server", () => {
  const kit = 'import { TypedServer, type PartialPort } from "./linear/mod.ts"; ' +
    "declare const server: TypedServer; export const serve = " +
    "(work: (port: PartialPort<true>) => void) => server.operatePort(40_000, work);";
  const main = 'import { serve } from "./kit.ts";\n' +
    "serve((port) => { if (bad) throw new Error('refused'); port.send().close(); });\n" +
    "serve((port) => { const sent = port.send(); setTimeout(() => sent.close()); });";
  const found = findingsAmong({ "kit.ts": kit, "main.ts": main });
  assertEquals(found.map(({ rule, message }) => [rule, message]), [
    ["use-after-move", "Port 'sent' is kept here, and the call is over"],
  ]);
});
