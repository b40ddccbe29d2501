import { assertEquals, assertInstanceOf, assertMatch, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { callerOf, ConsumedError, OpenPorts, Place } from "./consumption.ts";
import type { BarePort } from "./bare_port.ts";

function library(): Place {
  return new Place("send()", library);
}

Deno.test("a Place names the line of the program, not of the library", () => {
  const place = library(); // this line
  const line = new Error().stack!.split("\n").find((frame) => frame.includes("consumption_test"))!;
  const number = Number(/:(\d+):\d+/.exec(line)![1]) - 1;
  assertMatch(`${place}`, new RegExp(`^send\\(\\) at \\S*consumption_test\\.ts:${number}:\\d+$`));
});

Deno.test("a Place reads the stacks of every engine", () => {
  const stacks: Readonly<Record<string, string>> = {
    "Error: x\n    at send (file:///a.ts:1:2)\n    at file:///b.ts:3:4": "at file:///a.ts:1:2",
    "Error: x\n    at file:///b.ts:3:4": "at file:///b.ts:3:4",
    "Error: x\n    at async Foo.bar (http://x:80/c.ts:5:6)": "at http://x:80/c.ts:5:6",
    "send@http://x/d.ts:7:8\n@http://x/e.ts:9:10": "at http://x/d.ts:7:8",
    "": "at an unknown place",
  };
  for (const [stack, expected] of Object.entries(stacks)) {
    assertEquals(callerOf(stack), expected);
  }
});

Deno.test("a ConsumedError is a broken invariant that carries the other stack", () => {
  const place = library();
  const error = new ConsumedError("a port is used once", place);
  assertInstanceOf(error, InvariantError);
  assertEquals(error.message, "Invariant broken: a port is used once");
  assertEquals(error.name, "ConsumedError");
  assertMatch((error.cause as Error).stack!, /^Error: send\(\) happened here\n\s+at .*_test\.ts/);
});

function barePort(index: number): BarePort {
  return { index } as BarePort;
}

function open(ports: OpenPorts, port: BarePort) {
  return ports.begin(port, new Place("open()", open));
}

Deno.test("OpenPorts.assertNone() names every port that is open, and where it was opened", () => {
  const ports = new OpenPorts();
  ports.assertNone();
  open(ports, barePort(3));
  open(ports, barePort(5));
  const error = assertThrows(() => ports.assertNone(), InvariantError);
  assertMatch(
    error.message,
    /still open are port 3, open\(\) at \S+test\.ts:\d+:\d+; port 5, open/,
  );
});

Deno.test("OpenPorts.end() says whether the port was open", () => {
  const ports = new OpenPorts();
  const port = barePort(0);
  const session = open(ports, port);
  assertEquals([ports.isOpen(session), ports.end(port), ports.end(port)], [true, true, false]);
  assertEquals(ports.isOpen(session), false);
  ports.assertNone();
});

Deno.test("a session is over when the same port is opened again", () => {
  const ports = new OpenPorts();
  const port = barePort(0);
  const first = open(ports, port);
  ports.end(port);
  const second = open(ports, port);
  assertEquals([ports.isOpen(first), ports.isOpen(second)], [false, true]);
});
