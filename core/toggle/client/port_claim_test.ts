import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../channel.ts";
import { ClientSide } from "./client_side.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { PortClaim } from "./port_claim.ts";

Deno.test("PortClaim starts clients on cache lines of their own, and stays where it was", () => {
  const channel = Channel.create({ portCount: 64, laneCount: 1 });
  const sides = [1, 2, 3, 4].map(() => new ClientSide(channel, "spin"));
  const claims = sides.map((side) => new PortClaim(side));
  const first = claims.map((claim) => claim.tryClaim(0));
  assertEquals(first, [0, 16, 32, 48]);
  sides[1]!.unlock(16);
  assertEquals([claims[1]!.tryClaim(0), claims[1]!.tryClaim(0), claims[0]!.tryClaim(0)], [
    16,
    17,
    1,
  ]);
});

Deno.test("PortClaim passes over ports that the server has, and says no when none is left", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const side = new ClientSide(channel, "spin");
  const claim = new PortClaim(side);
  const index = claim.tryClaim(0);
  side.giveAway(index);
  side.unlock(index);
  const others = [claim.tryClaim(0), claim.tryClaim(0)];
  assertEquals([index, ...others].toSorted(), [0, 1, 2]);
  assertEquals(claim.tryClaim(0), NO_PORT);
});

Deno.test("PortClaim gives no port of a channel that was shut down", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const claim = new PortClaim(new ClientSide(channel, "spin"));
  channel.shutDown();
  assertThrows(() => claim.tryClaim(9), CallError, "opcode 9");
  assertThrows(() => claim.claim(9, undefined), CallError, "opcode 9");
});
