// deno-lint-ignore-file linear/unconsumed-port -- what is refused is done on purpose
import { assertEquals, assertThrows } from "@std/assert";
import { Channel, Client, type ClientPort } from "../../mod.ts";
import { CheckedPort } from "./checked_port.ts";
import { CHECKS, type Checks, PortMaker } from "./port_maker.ts";
import { TrustingPort } from "./trusting_port.ts";

const OWNER = { onFailure() {}, onClosed() {} };

function make(checks: Checks): object {
  const client = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
  return new PortMaker<ClientPort>(checks, OWNER).make(client.open(1), "open()", make);
}

Deno.test("PortMaker makes ports of one class", () => {
  assertEquals(CHECKS.map((checks) => make(checks).constructor === CheckedPort), [true, false]);
  assertEquals(CHECKS.map((checks) => make(checks).constructor === TrustingPort), [false, true]);
});

Deno.test("PortMaker.maybe() says whether there is a port", () => {
  for (const checks of CHECKS) {
    const client = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
    const maker = new PortMaker<ClientPort>(checks, OWNER);
    const some = maker.maybe(client.tryOpen(1), "tryOpen()", make);
    const none = maker.maybe(client.tryOpen(1), "tryOpen()", make);
    assertEquals([some.present, none.present], [true, false]);
  }
});

Deno.test("PortMaker refuses what is neither on nor off", () => {
  const message = "Cannot type ports as checks must be one of on, off: current value is yes";
  assertThrows(() => new PortMaker("yes" as Checks, OWNER), TypeError, message);
});
