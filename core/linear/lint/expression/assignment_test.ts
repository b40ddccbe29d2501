import { assertEquals } from "@std/assert";
import { foundMessages, testMarked } from "../testdata/marked_source.ts";

testMarked("assignment", {
  "later, and inside another statement": `
    let port: PartialPort<true>, other;
    if (ready) port = client.open(1);
    else port = client.open(2);
    port.close();
    function begin() { other = client.open(3); }
    try { begin(); } finally { other?.close(); }
    other.close(); //! double-move`,
  "in a chain, or a condition": `
    let a, b: PartialPort<true> | undefined;
    a = b = client.open(1);
    a.close();
    b.close(); //! double-move
    while ((b = next()) !== undefined) b.close();`,
  "with a condition": `
    let port: PartialPort<true> | undefined;
    port ??= client.open(1);
    port ??= client.open(2);
    port ||= client.open(4);
    port &&= port.send().recv();
    port.close();`,
  "that only counts": `
    let count = 0;
    count += 1;
    const port = client.open(1);
    if (count++ === 1 && --count === 1) port.close();`,
  "into a member": `
    this.port = client.open(1);
    [other.port] = [client.open(2)];
    ({ port: this.other } = elsewhere());`,
  "a gap in a pattern is passed over": `
    let b: OwnedPort<0>;
    const a = client.open(1), made = () => [a, client.open(2)] as const;
    [, b] = made();
    a.close();
    b.close();
    b.use(fill); //! use-after-move`,
});

testMarked("destructuring", {
  "two names swap": `
    let [a, b] = [client.open(1), client.open(2)]; //! unconsumed-port
    [a, b] = [b, a];
    ({ a } = { a });
    a.close();`,
  "the rest": `
    let last: PartialPort<true>, others: PartialPort<true>[];
    [last, ...others] = [client.open(3), client.open(4), client.open(5)]; //! unconsumed-port
    last.close();
    others[0].close();`,
  "what is absent": `
    let third: PartialPort<true>;
    [third = client.open(3)] = [];
    ({ third = client.open(4) } = { third }); //
    third.close();`,
  "the parts of a tuple that a function makes": `
    class Box {
      #port = client.open(1); //! unconsumed-port
      look() { return [this.#port, 1] as const; }
      async make() { return [await client.openAsync(1), client.open(2)] as const; }
    }
    const [lent] = new Box().look(); //! unconsumed-port
    let c: PartialPort<true>, d: PartialPort<true>;
    [c, d] = await new Box().make(); //! unconsumed-port
    c.close();`,
  "from elsewhere": `
    const { port, ...rest } = elsewhere(), [a, b] = elsewhere([client.openAsync(1)]);
    for (const one of [port, port, a]) one.send();`,
});

Deno.test("assign() notes where a name gets another port", () => {
  const source = `
    let port = client.open(1);
    work();
    port = client.open(2);
    port.close();`;
  const [message] = foundMessages(source);
  assertEquals(message, "Port 'port' of line 2 is overwritten at line 4 before it was consumed");
});
