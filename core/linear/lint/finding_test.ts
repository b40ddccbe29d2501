import { assertEquals, assertNotEquals } from "@std/assert";
import { findingsInCase } from "./testdata/marked_source.ts";

/** Each message, with a program that brings it about and nothing else. */
const MESSAGES: Readonly<Record<string, string>> = {
  "Port 'port' may be consumed again here: it was consumed at line 2": `const port = client.open(1);
    port.close();
    port.close();`,
  "Port 'port' may be used here: it was consumed at line 2": `const port = client.open(1);
    const sent = port.send();
    port.use(fill);
    sent.close();`,
  "Port 'ports' still has the ports that were consumed at line 2, and gives them away again":
    `const ports = [client.open(1)];
    for (const port of ports) port.close();
    for (const port of ports) port.close();`,
  "Port 'port' is consumed in a function that runs more than once": `const port = client.open(1);
    setInterval(() => port.close(), 10);`,
  "Port 'this.#port' is consumed here, and the next method finds it in its field":
    `class Line { #port = client.open(1); flush() { this.#port.close(); } }`,
  "Port 'this.#ports' of a field is gone through with consumption, and the next method finds its ports again":
    `class Lines { #ports = [client.open(1)]; flush() { for (const port of this.#ports) port.close(); } }`,
  "Port 'port' is consumed here, and by the stack that took it at line 2":
    `using stack = new DisposableStack();
    const port = stack.use(client.open(1));
    port.close();`,
  "Port 'port' is consumed here, and a closure uses it later that was written at line 2":
    `const port = client.open(1);
    setTimeout(() => port.use(fill));
    port.close();`,
  "Port 'port' is kept here, and its `using` at line 2 closes it when the block ends":
    `export function f() {
    using port = client.open(1);
    return port; }`,
  "Port 'port' of a handler is kept here, and its call ends with the handler":
    `const kept: PartialPort<true>[] = [];
    server.operatePort(1, (port) => { kept.push(port); });`,
  "Port is lent, and kept here": `let kept: Lent<PartialPort<true>>;
    export function f(port: Lent<PartialPort<true>>) { kept = port; }`,
  "Port 'port' is used in its own callback": `const port = client.open(1);
    port.use(() => port.use(fill));
    port.close();`,
  "Port 'maybe' is taken out before anybody has looked whether it is there":
    `const maybe = client.tryOpen(1);
    maybe.value.close();`,
  "Port 'maybe' is not looked at before the path ends at line 4": `function f() {
    const maybe = client.tryOpen(1);
    work();
    return; }`,
  "Port 'port' is not consumed on the path that ends at line 3": `function f() {
    const port = client.open(1);
    if (bad) throw new Error('bad'); port.close(); }`,
  "Port is dropped: nobody can consume it any more": `client.open(1);`,
  "Port is dropped with the Maybe or Either that holds it": `client.tryOpen(1);`,
  "Port gets no name here: nobody can consume it":
    `const pair = () => ({ a: client.open(1), b: 1 });
    const { b } = pair();`,
  "Port of a promise that loses the race is lost":
    `(await Promise.race([client.openAsync(1), client.openAsync(2)])).close();`,
  "Port 'port' is overwritten at line 2 before it was consumed": `let port = client.open(1);
    port = client.open(2);
    port.close();`,
  "Port 'port' is taken over by this parameter and never consumed":
    `export const look = (port: PartialPort<true>) => port.index;`,
  "Port '#port' is in a private field that nothing in the class consumes":
    `class Line { #port = client.open(1); }`,
};

for (const [message, source] of Object.entries(MESSAGES)) {
  Deno.test(`lint message: ${message}`, () => {
    const findings = findingsInCase(source);
    assertEquals(findings.map((one) => one.message), [message]);
    assertNotEquals(findings[0]!.hint, "");
  });
}

Deno.test("lint message: a borrower is named, and not who calls it", () => {
  const [finding] = findingsInCase(`function put(port: PartialPort<true>): void { port.use(fill); }
    export function store(): void { const port = client.open(1); put(port); port.close(); }`);
  assertEquals(finding!.node.getText(), "port: PartialPort<true>");
  assertEquals(finding!.hint.includes("`Lent<…>`"), true);
});

Deno.test("lint message: a comment above a line, or for the file, silences a rule", () => {
  const leak = `const port = client.open(1);`;
  const counts = [
    leak,
    `// deno-lint-ignore linear/unconsumed-port -- on purpose\n${leak}`,
    `// deno-lint-ignore linear/double-move\n${leak}`,
    `\n// deno-lint-ignore-file linear/unconsumed-port\n${leak}`,
  ].map((source) => findingsInCase(`\n${source}`).length);
  assertEquals(counts, [1, 0, 1, 0]);
});
