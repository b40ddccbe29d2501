import { testMarked } from "../testdata/marked_source.ts";

testMarked("future", {
  "a promise hands on": `
    client.openAsync(1).then((port) => port.close());
    client.openAsync(2).then((port) => port.use(work)); //! unconsumed-port
    client.openAsync(3).then((port) => port.send()).then((sent) => sent.recv().close());
    client.openAsync(4).then((port) => port.close(), (reason) => { log(reason); });
    client.openAsync(5).then(elsewhere);
    client.openAsync(6); //! unconsumed-port
    const pending = client.openAsync(8), a = await pending, b = await pending;
    a.close();
    b.close(); //! double-move`,
  "what runs however it ends": `
    declare function wait(): Promise<void>;
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    try { await wait().finally(() => a.close()); } catch { log(); }
    await wait().finally(async () => { await wait(); b.close(); });
    await Promise.reject(new Error("no")).then(() => log()).catch(() => c.close());
    for (const one of [a, b, c]) one.use(fill); //! use-after-move`,
  "what the program rejects is thrown where it waits": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port unconsumed-port unconsumed-port
    try { await new Promise(() => { throw new Error("no"); }); a.close(); } catch { log(); }
    const { promise, reject } = Promise.withResolvers<void>();
    reject(new Error("no"));
    try { await promise.finally(() => {}); b.close(); } catch { log(); }
    try { await Promise.any([Promise.reject(new Error("no"))]); c.close(); } catch { log(); }`,
  "all of several": `
    const [a, b] = await Promise.all([client.openAsync(4), client.openAsync(5)]); //! unconsumed-port
    a.close();
    await Promise.all([client.openAsync(3)]); //! unconsumed-port
    const sent = [client.open(6)].map((port) => port.send());
    await Promise.all(sent.map((port) => port.recvAsync())); //! unconsumed-port
    await Promise.all(sent.map(async (port) => (await port.recvAsync()).close())); //! double-move`,
  "all that have settled": `
    const results = await Promise.allSettled([client.openAsync(1), client.openAsync(2)]);
    for (const one of results) if (one.status === "fulfilled") one.value.close();
    const [failed] = await Promise.allSettled([Promise.reject(new Error("no"))]);
    const port = client.open(4);
    if (failed.status === "rejected" && failed.reason) port.close();
    await Promise.allSettled([client.openAsync(3)]); //! unconsumed-port`,
  "the first of several": `
    const port = await Promise.race([client.openAsync(1), client.openAsync(2)]); //! unconsumed-port
    port.close();
    const late = client.openAsync(3);
    await Promise.race([late, timeout(10)]);
    (await late).close();
    (await Promise.any([Promise.reject(new Error("no")), client.openAsync(4)])).close();`,
  "a promise that the program makes": `
    const { promise, resolve } = Promise.withResolvers<PartialPort<true>>();
    setTimeout(() => resolve(client.open(1)));
    (await promise).close();
    (await promise).close(); //! double-move
    const port = client.open(3);
    await new Promise<void>((done) => { port.close(); done(); });
    port.close(); //! double-move
    const kept = Promise.resolve(client.open(4)); //! unconsumed-port
    (await Promise.try(() => client.open(5))).close();`,
});
