import { assertEquals } from "@std/assert";
import { findingsInCase, foundMessages } from "./testdata/marked_source.ts";

/** Each message, with a program that brings it about. */
const MESSAGES: Readonly<Record<string, string>> = {
  "Port 'port' is used after send() consumed it at line 2": `const port = client.open(1);
    const sent = port.send();
    port.use(fill);
    sent.close();`,
  "Port 'port' may be used after close() consumed it at line 2": `let port = client.open(1);
    if (ready) port.close();
    port.use(fill);
    port.close();`,
  "Port 'port' may be used after send() consumed it at line 3": `let port = client.open(1);
    if (ready) { port.close(); port = undefined; }
    else port.send();
    port.use(fill);`,
  "Port 'port' may be consumed by close() after the function that runs later consumed it at line 2":
    `const port = client.open(1);
    setTimeout(() => port.close());
    port.close();`,
  "Port 'port' is consumed by close() after the assignment to 'other' consumed it at line 2":
    `const port = client.open(1);
    const other = port;
    port.close();
    other.close();`,
  "Port 'port' of line 2 is not consumed on the path that leaves at line 3": `function f() {
    const port = client.open(1);
    if (bad) throw new Error("bad");
    port.close();
  }`,
  "Port 'port' of line 2 is not consumed on the path that leaves at line 6": `function f() {
    const port = client.open(1);
    if (ready) {
      port.close();
    }
  }`,
  "Port 'port' of line 3 is not consumed on the path that leaves at line 4": `function f() {
    let port;
    port = client.open(1);
  }`,
  "Port 'port' of line 1 is overwritten at line 2 before it was consumed":
    `let port = client.open(1);
    port = client.open(2);
    port.close();`,
  "Port 'port' of line 5 is not consumed on the path that leaves at line 6": `function f() {
    let port = client.open(1);
    for (;;) {
      port.close();
      port = client.open(2);
      if (done) return;
    }
  }`,
  "Port 'port' of line 4 is not consumed on the path that leaves at line 7": `function f() {
    let port: PartialPort<true> | undefined;
    const start = () => {
      port = client.open(1);
    };
    start();
  }`,
  "Port 'port' of line 1 is not consumed on the path that leaves at line 2":
    `server.operatePort(1, (port) => {
    if (bad) return;
    port.send().close();
  });`,
  "Port is dropped: nobody can consume it any more": `client.open(1);`,
  "Maybe 'maybe' is opened before 'present' was looked at": `const maybe = client.tryOpen(1);
    maybe.value.close();`,
  "Maybe 'maybe' is opened where 'present' is false": `const maybe = client.tryOpen(1);
    if (maybe.present) maybe.value.close();
    else maybe.value.close();`,
  "Either 'look' is opened before 'arrived' was looked at":
    `const look = client.open(1).send().query();
    look.value.close();`,
  "Maybe is opened before 'present' was looked at": `client.tryOpen(1).value.close();`,
  "Maybe 'maybe' of line 2 is not looked at on the path that leaves at line 4": `function f() {
    const maybe = client.tryOpen(1);
    work();
    return;
  }`,
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

for (const [message, source] of Object.entries(MESSAGES)) {
  Deno.test(`lint message: ${message}`, () => {
    assertEquals(foundMessages(source).includes(message), true, foundMessages(source).join("\n"));
  });
}
