import { testMarked } from "../testdata/marked_source.ts";

testMarked("foreign", {
  "a function takes a port where its type says that it gets one": `
    declare function put(port: PartialPort<true>): void;
    declare const sink: { put(port: PartialPort<true>): void };
    const [a, b] = [client.open(1), client.open(2)];
    put(a);
    a.close(); //! double-move
    sink.put(b);
    b.use(fill); //! use-after-move`,
  "what a function that says nothing is given is no longer ours": `
    declare function keep(value: unknown): void;
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    elsewhere(a);
    elsewhere(b);
    b.close();
    c.close();
    elsewhere(c); //! use-after-move
    new Holder(client.open(5));
    keep(client.tryOpen(7));
    keep(d);
    d.close();
    keep(d); //! use-after-move
    list.push(client.open(8));
    function look(port) { work(port); }
    look(client.open(9));`,
  "one that answers may have left it": `
    declare function offer(port: PartialPort<true>): boolean;
    declare function isMine(port: PartialPort<true>): port is OwnedPort<0>;
    declare const step: ((port: PartialPort<true>) => SentPort<0>) | undefined;
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port
    if (!offer(a)) a.close();
    offer(a); //! double-move
    if (isMine(b)) b.use(fill);
    (step?.(c) ?? c.send()).close();`,
  "functions that only look": `
    declare function look(port: { readonly index: number }): void;
    const note = ({ inbox }: PartialPort<true>) => inbox;
    const port = client.open(1); //! unconsumed-port
    look(port);
    note(port);
    console.log(port, JSON.stringify(port), String(port), new WeakRef(port));
    assertExists(port);`,
  "what it makes is its caller's, and what lies in that is not": `
    declare function begin(): SentPort<0>;
    declare function pair(): { left: PartialPort<true> };
    begin(); //! unconsumed-port
    const { left } = pair();`,
  "what does not come back, and what makes sure": `
    declare function fail(): never;
    declare function ensure(value: unknown): asserts value;
    declare const isOpen: boolean;
    const port = client.open(1);
    if (bad) fail();
    ensure(isOpen);
    if (isOpen) port.close();`,
  "move says for any function that a name is done with": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    elsewhere(move(a));
    a.close(); //! double-move
    move(b); //! unconsumed-port
    move(c).close();
    move(c); //! double-move`,
  "nothing that comes of a packet is a port": `
    client.open(1).send((packet) => { packet.port.close(); packet.port.close(); }).close();`,
});
