import { testMarked } from "../testdata/marked_source.ts";

testMarked("port", {
  "each operation takes the port, and gives another one": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    a.close();
    a.close(); //! double-move
    const sent = b.send();
    b.close(); //! double-move
    sent.recv().close();
    sent.recv(); //! double-move unconsumed-port
    const look = c.send().query();
    if (look.arrived) look.value.close(); else look.value.recv().close();
    const back = await d.send().recvAsync();
    back.close();`,
  "use leaves it where it is": `
    const port = client.open(1); //! unconsumed-port
    port.use(fill);
    port.use(fill);
    client.open(1).use(fill); //! unconsumed-port`,
  "what nobody takes of an operation": `
    client.open(1).send(); //! unconsumed-port
    client.open(2).send().recv(); //! unconsumed-port
    client.open(3).send().query(); //! unconsumed-port
    await client.open(4).send().recvAsync(); //! unconsumed-port
    const index = client.open(5).index; //! unconsumed-port`,
  "disposing minds nothing, but is an end": `
    const a = client.open(1), b = client.open(2);
    a.close();
    a[Symbol.dispose]();
    b[Symbol.dispose]();
    log(b.index);
    log(b.inbox); //! use-after-move
    b.send().close(); //! double-move`,
  "the work of an operation runs once, and is not for the port itself": `
    const [a, b, c, d] = [client.open(1), client.open(2), client.open(3), client.open(4)];
    a.use(() => a.close()); //! use-after-move
    b.send(() => c.close()).recv(() => d.close()).close();
    await client.open(5).send().recvAsync(() => d.close()); //! unconsumed-port double-move
    c.close(); //! double-move
    d.use(fill); //! use-after-move`,
  "work that throws has lost the port, but for use": `
    const fail = (packet) => { if (packet.laneCount === 0) throw new Error("empty"); };
    const port = client.open(2); //! unconsumed-port
    try { client.open(1).send(fail).close(); } catch { log(); }
    try { port.use(fail); port.close(); } catch { log(); }`,
  "an operation that throws has consumed the port": `
    const port = client.open(1), other = client.open(2);
    try { port.send().recv().close(); } catch { port.close(); } //! double-move
    try { other.send(fill).close(); } catch { other.close(); } //! double-move
    try { client.open(3).send(fill).recv(use).close(); } catch { log(); }`,
});
