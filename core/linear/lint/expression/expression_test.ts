import { testMarked } from "../testdata/marked_source.ts";

testMarked("expression", {
  "what gives a value that nobody looked at is followed, too": `
    const sent = client.open(1).send();
    sent.query().value.close(); //! unchecked-maybe`,
  "casts change nothing": `
    const port = client.open(1) as unknown as TypedPort<0, 0>;
    (port as OwnedPort<0>).send()!.close();
    (port satisfies unknown)!.close(); //! double-move`,
  "kept in an array or an object": `
    const ports = [client.open(1)];
    const port = client.open(2);
    const pair = { port, other: client.open(3), ...rest };
    list.push(client.open(4));`,
  "looked at": `
    const port = client.open(1);
    port.close();
    if (typeof port === "object" && port === other && !port) work();`,
  "printed": `
    const port = client.open(1);
    port.close();
    work(\`port \${port.inbox}\`); //! use-after-move
    work(\`port \${port}\`); //! use-after-move`,
  "yielded": `
    function* ports() { yield client.open(1); const port = client.open(2); yield port; }`,
  "awaited": `
    async function f() {
      const port = await client.openAsync(1);
      const back = await port.send(fill).recvAsync(use);
      back.close();
      await port.send(); //! double-move unconsumed-port
    }`,
  "by key": `
    const port = client.open(1);
    table[port.index] = 1;
    port.close();
    table[port.outbox] = 2; //! use-after-move
    port["use"](fill); //! use-after-move`,
  "which port it was may be asked for ever": `
    const port = client.open(1);
    port.close();
    work(port.index);`,
  "a promise that is chained": `
    client.openAsync(1).then((port) => port.close());
    const pending = client.openAsync(2);
    pending.then((port) => port.send(fill).recvAsync()).catch(report); //! unconsumed-port
    const other = client.openAsync(3);
    other.catch(report);
    (await other).close();`,
  "template tags, new, delete, void": `
    const port = client.open(1);
    tag\`\${port}\`;
    void client.open(1); //! unconsumed-port
    delete table.x;`,
  "in JSX": `
    const port = client.open(1);
    const other = client.open(2);
    const button = <Button onClick={() => port.close()} of={other} {...rest}>{label}</Button>;
    const none = <><Button onClick={() => {
      client.open(3); //! unconsumed-port
    }} /></>;`,
  "disposed of": `
    const port = client.open(1);
    port[Symbol.dispose]();
    const sent = client.open(1).send();
    sent.close();
    sent[Symbol.dispose]();
    client.open(2)[Symbol.dispose]();`,
  "a class expression": `
    const C = class extends Base { port = client.open(1); run() { client.open(1).close(); } };`,
  "void lets go of a promise": `
    const port = client.open(1);
    void delay(1).then(() => port.close());
    port.close(); //! double-move`,
});
