import { assertEquals } from "@std/assert";
import { unfollowedFinding, unknownFinding } from "./finding.ts";
import { checkedFile, findingsInCase, foundMessages } from "./testdata/marked_source.ts";

/** Each message, with a program that brings about it and nothing else. */
const MESSAGES: Readonly<Record<string, string>> = {
  "Port 'port' is used after send() consumed it at line 2": `const port = client.open(1);
    const sent = port.send();
    port.use(fill);
    sent.close();`,
  "Port 'port' is consumed by close() after close() consumed it at line 2":
    `const port = client.open(1);
    (() => { port.close(); port.close(); })();`,
  "Port 'port' is consumed by finish() after close() consumed it at line 3":
    `const port = client.open(1);
    function finish(one: PartialPort<true>) { one.close(); }
    port.close();
    finish(port);`,
  "Port 'port' is consumed by close() after `using` consumed it at line 2":
    `const port = client.open(1);
    { using other = port; }
    port.close();`,
  "Port 'port' may be used after send() consumed it at line 3": `const port = client.open(1);
    let sent: PartialPort<false> | undefined;
    if (ready) sent = port.send();
    port.use(fill);
    if (sent) sent.close();
    else port.close();`,
  "Port 'port' may be consumed by return after close() consumed it at line 3":
    `export function f(isLast: boolean) {
    const port = client.open(1);
    if (isLast) port.close();
    return port; }`,
  "Port 'port' is kept here, and its `using` closes it when the block ends":
    `export function f() { using port = client.open(1); return port; }`,
  "Port 'port' is kept here, and the call is over":
    `server.operatePort(1, (port) => { setTimeout(() => port.close()); });`,
  "Port 'port' of line 2 is handed over at line 3, and not consumed there":
    `const look = (one: Lent<PartialPort<true>>) => one.index;
    const port = client.open(1);
    look(port);`,
  "Port 'port' of line 2 is not consumed on the path that leaves at line 3": `function f() {
    const port = client.open(1);
    if (bad) throw new Error('bad'); port.close(); }`,
  "Port 'port' of line 1 is overwritten at line 2 before it was consumed":
    `let port = client.open(1);
    port = client.open(2);
    port.close();`,
  "Port is dropped: nobody can consume it any more": `client.open(1);`,
  "Maybe 'maybe' is opened before 'present' was looked at": `const maybe = client.tryOpen(1);
    maybe.value.close();`,
  "Maybe 'maybe' is opened where 'present' is false": `const maybe = client.tryOpen(1);
    if (maybe.present) maybe.value.close();
    else maybe.value.close();`,
  "Maybe is opened before 'present' was looked at": `client.tryOpen(1).value.close();`,
  "Maybe 'maybe' of line 2 is not looked at on the path that leaves at line 4": `function f() {
    const maybe = client.tryOpen(1);
    work();
    return; }`,
  "Either 'look' of line 1 is overwritten at line 2 before it was looked at":
    `let look = client.open(1).send().query();
    look = client.open(1).send().query();
    look.arrived ? look.value.close() : look.value.close();`,
};

Deno.test("lint message: what cannot be closed is not said to be closed", () => {
  const hints = ["client.tryOpen(1);", "client.open(1).send().query();", "client.open(1);"]
    .map((source) => findingsInCase(source)[0]!.hint);
  assertEquals(hints, [
    "Look at 'present', and consume the port in 'value' if it is there.",
    "Look at 'arrived', and consume the port in 'value' in both cases.",
    "Close it, send it on, return it, or declare it with `using`.",
  ]);
});

Deno.test("lint message: a module that cannot be read is named", () => {
  const { message } = unknownFinding("jsr:@lab/kit");
  assertEquals(message.includes("from 'jsr:@lab/kit' are not followed"), true);
});

for (const [message, source] of Object.entries(MESSAGES)) {
  Deno.test(`lint message: ${message}`, () => assertEquals(foundMessages(source), [message]));
}

Deno.test("lint message: a module that cannot be followed is told at its first statement", () => {
  const { source } = checkedFile("/** About it. */\nlet first = 1;");
  const { node, message } = unfollowedFinding(source);
  assertEquals([node.getText(), message.slice(0, 26)], [
    "let first = 1;",
    "Ports are not followed her",
  ]);
});
