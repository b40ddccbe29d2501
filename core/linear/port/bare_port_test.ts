import { assertEquals, assertThrows } from "@std/assert";
import { type ClientPort, InvariantError, type ServerPort } from "../../mod.ts";
import { type BarePort, CLOSED_PORT, leaveAsIs } from "./bare_port.ts";

Deno.test("the ports of both sides can carry a typed port", () => {
  const fits = (port: ClientPort<"mine"> | ServerPort<"mine">): BarePort => port;
  // @ts-expect-error a number is no port
  const fails = (port: number): BarePort => port;
  assertEquals([typeof fits, typeof fails], ["function", "function"]);
});

Deno.test("CLOSED_PORT refuses every operation", () => {
  const work = () => {};
  const operations: readonly (() => unknown)[] = [
    () => CLOSED_PORT.use(work),
    () => CLOSED_PORT.send(work),
    () => CLOSED_PORT.recv(work),
    () => CLOSED_PORT.recvAsync(work),
    () => CLOSED_PORT.tryRecv(work),
    () => CLOSED_PORT.close(),
    () => CLOSED_PORT.outbox,
  ];
  for (const operation of operations) assertThrows(operation, InvariantError, "the port is open");
  assertEquals(CLOSED_PORT.isOpen, false);
});

Deno.test("leaveAsIs() leaves the packet as it is", () => {
  assertEquals(leaveAsIs.length, 0);
  assertEquals(leaveAsIs(), undefined);
});
