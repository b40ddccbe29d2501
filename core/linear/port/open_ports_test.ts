import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import type { BarePort } from "./bare_port.ts";
import { Place } from "./consumption.ts";
import { OpenPorts } from "./open_ports.ts";

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
