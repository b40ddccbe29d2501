import { testMarked } from "../testdata/marked_source.ts";

testMarked("assignment", {
  "a name is used again": `
    let port = client.open(1);
    port.close();
    port = client.open(2);
    port.close();`,
  "a live port is overwritten": `
    let port = client.open(1); //! unconsumed-port
    port = client.open(2);
    port.close();`,
  "a live port is overwritten by nothing": `
    let port: PartialPort<true> | undefined = client.open(1); //! unconsumed-port
    port = undefined;`,
  "assigned later": `
    let port;
    port = client.open(1); //
    port.close();
    port.close(); //! double-move`,
  "assigned later, in branches": `
    let port: PartialPort<true>;
    if (a) port = client.open(1);
    else port = client.open(2);
    port.close();`,
  "a second name is a move": `
    const a = client.open(1);
    const b = a;
    a.close(); //! double-move
    b.close();`,
  "assigned in a chain": `
    let a, b: PartialPort<true>;
    a = b = client.open(1);
    a.close();
    b.close(); //! double-move`,
  "assigned in a condition": `
    let port: PartialPort<true> | undefined;
    while ((port = next()) !== undefined) port.close();`,
  "nullish assignment": `
    let port: PartialPort<true> | undefined;
    port ??= client.open(1);
    port.close();`,
  "into a field": `
    const port = client.open(1);
    this.port = port;
    other.port = client.open(1);`,
  "annotated": `
    const port: SentPort<0> = elsewhere(); //! unconsumed-port
    const maybe: Maybe<TypedPort<0, 0>> = elsewhere(); //! unchecked-maybe
    const words: Maybe<string> = elsewhere();`,
  "not initialised": `
    let port: PartialPort<true> | undefined;
    work(port);`,
  "plain arithmetic": `
    let count = 0;
    count += 1;
    count **= 2;`,
  "var is declared again": `
    var port = client.open(1); //! unconsumed-port
    var port = client.open(2);
    port.close();
    var port = client.open(3);
    port.close();`,
});
