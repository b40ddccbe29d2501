import { assertEquals } from "@std/assert";
import type { ClientPort, ServerPort } from "../mod.ts";
import { type BarePort, leaveAsIs } from "./bare_port.ts";

Deno.test("the ports of both sides can carry a typed port", () => {
  const fits = (port: ClientPort<"mine"> | ServerPort<"mine">): BarePort => port;
  // @ts-expect-error a number is no port
  const fails = (port: number): BarePort => port;
  assertEquals([typeof fits, typeof fails], ["function", "function"]);
});

Deno.test("leaveAsIs() leaves the packet as it is", () => {
  assertEquals(leaveAsIs.length, 0);
  assertEquals(leaveAsIs(), undefined);
});
