import { testMarked } from "../testdata/marked_source.ts";

testMarked("expression type", {
  "names for a client": `
    const second = client;
    const third = ready ? second : client;
    const fourth = missing ?? third;
    (work(), fourth).open(1); //! unconsumed-port
    (fourth as Other).open(2); //! unconsumed-port
    (await fourth)!.open(3); //! unconsumed-port`,
  "said to be a client": `
    (elsewhere() as TypedClient).open(1); //! unconsumed-port
    const port = elsewhere() as PartialPort<true>; //! unconsumed-port`,
  "a list by its elements": `
    const clients = [...[client]];
    clients[0].open(1); //! unconsumed-port`,
  "a module at run time": `
    const { TypedClient: Rpc } = await import("./linear/mod.ts");
    new Rpc(channel).open(1); //! unconsumed-port
    const linear = await import("./linear/mod.ts");
    new linear.TypedClient(channel).open(2); //! unconsumed-port`,
  "a private member of another object of the class": `
    class Caller {
      #client = client;
      static call(other: object) {
        if (#client in other) {
          other.#client.open(1); //! unconsumed-port
        }
      }
    }`,
});

testMarked("call type", {
  "a global of the language passes on what it gets": `
    const { rpc } = Object.freeze({ rpc: client });
    rpc.open(1); //! unconsumed-port
    (await Promise.resolve(client.open(2))).close();
    const ports = await Promise.all([1, 2].map((id) => client.openAsync(id)));
    for (const port of ports) port.close();`,
  "collections": `
    const clients = new Set([client]);
    for (const rpc of clients) rpc.open(1); //! unconsumed-port
    const byName = new Map<string, TypedClient>();
    byName.get("a")?.open(2); //! unconsumed-port
    const sent = new Map<number, SentPort<0>>();
    sent.get(1)?.close();`,
  "a promise of something else": `
    work().then(() => client.open(1)); //! unconsumed-port
    work().then(() => client.open(1).close());`,
  "a module that is required": `
    const { TypedClient: Rpc } = require("portlab/linear");
    new Rpc(channel).open(1); //! unconsumed-port`,
  "a promise of what it is said to be": `
    const port = await new Promise<PartialPort<true>>((resolve) => start(resolve)); //! unconsumed-port
    const other = await new Promise((resolve) => start(resolve));`,
  "the promises of several ports": `
    const sents = [1, 2].map((id) => client.open(id).send());
    const first = await Promise.race(sents.map((sent) => sent.recvAsync()));
    first?.close();
    first?.close(); //! double-move
    for (const { value } of await Promise.allSettled([client.openAsync(1)])) {
      value.close();
      value.close(); //! double-move
    }
    for (const one of await Promise.allSettled([client.openAsync(1)])) {
      if (one.status === "fulfilled") one.value.close();
    }`,
  "an array from a function": `
    const clients = Array.from({ length: 4 }, () => new TypedClient(channel));
    for (const rpc of clients) rpc.open(1); //! unconsumed-port
    const ports = await Array.fromAsync(clients, (rpc) => rpc.openAsync(1));
    for (const port of ports) {
      port.close();
      port.close(); //! double-move
    }
    Array.from(clients)[0]?.open(1); //! unconsumed-port
    if (Array.isArray(clients)) clients[0].open(1).close();`,
});
