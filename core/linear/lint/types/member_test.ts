import { testMarked } from "../testdata/marked_source.ts";

testMarked("member", {
  "the elements of a list are lent": `
    const ports: PartialPort<true>[] = [];
    const last = ports.pop();
    last?.use(fill);
    const first = ports[0];
    first.close();
    first.close(); //! double-move
    for (const [id, port] of new Map<number, PartialPort<true>>()) port.use(fill);`,
  "what is made of the elements is not": `
    const ports: PartialPort<true>[] = [];
    ports.forEach((port) => port.send(fill)); //! unconsumed-port
    const sent = ports.map((port) => port.send(fill));
    for (const one of sent) one.close();`,
  "clients in lists": `
    const clients = [new TypedClient(a), new TypedClient(b)];
    clients[0].open(1); //! unconsumed-port
    clients.find((one) => one.isFree)!.open(2); //! unconsumed-port
    clients.map((one) => one.open(3));`,
  "promises": `
    client.openAsync(1).then((port) => { //! unconsumed-port
      port.use(fill);
    });
    client.openAsync(2).then((port) => port.close(), report).catch(report);
    client.openAsync(3).then((port) => port.send()).then((sent) => sent.close());
    client.openAsync(4).finally(report); //! unconsumed-port
    const port = client.open(5);
    await work().finally(() => port.close());
    port.close(); //! double-move`,
  "bound functions": `
    const open = client.open.bind(client);
    open(1); //! unconsumed-port
    client.open.call(client, 2); //! unconsumed-port`,
  "stacks see to what they are given": `
    using stack = new DisposableStack();
    const a = stack.use(client.open(1));
    const b = stack.adopt(client.open(2), (port) => port.close());
    const c = client.open(3);
    stack.defer(() => c.close());
    a.close();
    a.close(); //! double-move`,
});
