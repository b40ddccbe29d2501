import { testMarked } from "../testdata/marked_source.ts";

testMarked("assignment", {
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
  "lent to a name": `
    const port = client.open(1);
    const look: Lent<PartialPort<true>> = port;
    look.use(fill);
    port.close();
    const kept = client.open(1); //! unconsumed-port
    const index: { readonly index: number } = kept;`,
  "a name for what holds a port has it": `
    const pending = client.openAsync(1).then((port) => port);
    const look = (await pending).send().query();
    look.value.close(); //! unchecked-maybe`,
  "the parts of a tuple that a function makes": `
    class Box {
      #port = client.open(1);
      look() { return [this.#port, 1] as const; }
      async make() { return [await client.openAsync(1), client.open(2)] as const; }
    }
    const [lent] = new Box().look();
    lent.use(fill);
    const [a, b] = await new Box().make(); //! unconsumed-port
    a.close();
    let c: PartialPort<true>, d: PartialPort<true>;
    [c, d] = await new Box().make(); //! unconsumed-port
    c.close();`,
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

testMarked("destructuring", {
  "arrays pair": `
    const [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    a.close();`,
  "arrays move": `
    const port = client.open(1);
    const [a] = [port];
    port.close(); //! double-move
    a.close();`,
  "objects pair": `
    const port = client.open(1);
    const { a, b: { c } } = { a: port, b: { c: client.open(2) } }; //! unconsumed-port
    port.close(); //! double-move
    const box = { d: client.open(3), e: client.open(4) }; //! unconsumed-port
    box.d.close();`,
  "two names swap": `
    let a = client.open(1);
    let b = client.open(2);
    [a, b] = [b, a];
    a.close();
    b.close();`,
  "what the pattern skips is nobody's": `
    const port = client.open(1); //! unconsumed-port
    const [, x] = [port, 1, client.open(2)]; //! unconsumed-port
    const [first, ...rest] = [client.open(1), client.open(2), client.open(3)];
    first.close();
    const [one] = await Promise.all([client.openAsync(1), client.openAsync(2)]); //! unconsumed-port
    one.close();
    const { a } = { a: client.open(1), b: client.open(2) }; //! unconsumed-port
    a.close();`,
  "an array from elsewhere": `
    const [a, b] = elsewhere([client.openAsync(1), client.openAsync(2)]);
    a.close();`,
  "an array of promises pairs": `
    const [a, b] = await Promise.all([client.openAsync(1), client.openAsync(2)]); //! unconsumed-port
    a.close();`,
  "value is taken out": `
    const maybe = client.tryOpen(1);
    if (maybe.present) {
      const { value: port } = maybe;
      port.close();
      maybe.value.use(fill); //! use-after-move
    }`,
  "value is taken out and dropped": `
    const maybe = client.tryOpen(1);
    if (maybe.present) {
      const { value } = maybe; //! unconsumed-port
    }`,
  "value is taken out too early": `
    const maybe = client.tryOpen(1);
    const { value } = maybe; //! unchecked-maybe
    value.close();`,
  "value is taken straight from the call": `
    const { value } = client.tryOpen(1); //! unchecked-maybe
    value.close();`,
  "check and value go on together": `
    const { present, value } = client.tryOpen(1);
    if (present) value.close();
    const { arrived, value: back } = client.open(2).send().query();
    if (arrived) back.close(); else back.close();`,
  "check and value get another container": `
    let { present, value: port } = client.tryOpen(1); //! unchecked-maybe
    ({ present, value: port } = client.tryOpen(2));
    if (present) port.close();`,
  "check and value together, dropped": `
    const { present, value } = client.tryOpen(1); //! unconsumed-port
    if (present) value.use(fill);`,
  "check and value together, of a name": `
    const maybe = client.tryOpen(1);
    const { present, value } = maybe;
    if (present) value.close();
    if (present) maybe.value.close(); //! double-move`,
  "a port's own properties": `
    const port = client.open(1);
    const { index, inbox } = port;
    port.close();
    const { outbox } = port; //! use-after-move`,
  "an object from elsewhere": `
    const { port, ...rest } = elsewhere();
    port.send();
    port.send();`,
  "defaults and rests": `
    function f({ port = client.open(1), list: [first] = [] } = {}, ...others) {
      port.close();
    }`,
  "into a member": `
    const port = client.open(1);
    [this.port] = [port];
    ({ port: this.other } = elsewhere());`,
});
