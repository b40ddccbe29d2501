import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { InvariantError } from "../../memory/assert.ts";
import { Status } from "../../memory/status.ts";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { statusOf } from "../../testing/fixtures/status_of.ts";
import { Deadline } from "../../wait/deadline.ts";
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

for (
  const [start, expected] of [
    ["last-used", [16, 18, 18, 20, 20]],
    ["first", [0, 18, 0, 20, 0]],
    ["hashed", [16, 18, 16, 20, 16]],
    ["rotating", [16, 18, 19, 20, 21]],
  ] as const
) {
  Deno.test(`PortClaim looks first where the start ${start} has it`, () => {
    const channel = Channel.create({ portCount: 40, laneCount: 1, start });
    const [other, side] = [new ClientSide(channel, "spin"), new ClientSide(channel, "spin")];
    const claim = new PortClaim(side);
    const claimed: number[] = [];
    const claimOnce = () => {
      const index = claim.tryClaim(0);
      side.unlock(index);
      claimed.push(index);
    };
    claimOnce();
    const busy = Array.from({ length: 18 }, (_, index) => index);
    for (const index of busy) other.tryLockOwned(index);
    claimOnce();
    for (const index of busy) other.unlock(index);
    claimOnce();
    for (const index of [...busy, 18, 19]) other.tryLockOwned(index);
    claimOnce();
    for (const index of [...busy, 18, 19]) other.unlock(index);
    claimOnce();
    assertEquals(claimed, [...expected]);
  });
}

Deno.test("PortClaim: a rotating start goes on at the first port behind the last", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1, start: "rotating" });
  const side = new ClientSide(channel, "spin");
  const claim = new PortClaim(side);
  const claimed = Array.from({ length: 7 }, () => {
    const index = claim.tryClaim(0);
    side.unlock(index);
    return index;
  });
  assertEquals(claimed, [0, 1, 2, 0, 1, 2, 0]);
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

/** Two clients of a channel whose only port the first one holds. */
function scarce() {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const holder = new ClientSide(channel, "spin");
  assert(holder.tryLockOwned(0));
  return { channel, holder, claim: new PortClaim(new ClientSide(channel, "spin")) };
}

Deno.test("PortClaim gives ports to who waits, first come, first served", async () => {
  const { channel, claim, holder } = scarce();
  const first = claim.claimAsync(0, undefined);
  const second = claim.claimAsync(0, undefined);
  holder.unlock(0);
  assertEquals(claim.tryClaimInTurn(0), NO_PORT, "others were there before");
  assertEquals(await first, 0);
  channel.shutDown();
  await assertRejects(() => second, CallError);
  assertThrows(() => claim.tryClaimInTurn(0), CallError);
});

Deno.test("PortClaim waits for a port no longer than its deadline or signal, either way", async () => {
  const { claim, holder } = scarce();
  const over = new Deadline({ timeoutSeconds: 0 });
  assertThrows(() => claim.claim(0, over), DOMException, "open a port within 0 s");
  const short = new Deadline({ timeoutSeconds: 0.001 });
  assertThrows(() => claim.claim(0, short), DOMException, "open a port");
  await assertRejects(() => claim.claimAsync(0, over), DOMException, "open a port");
  await assertRejects(
    () => claim.claimAsync(0, new Deadline({ timeoutSeconds: 0.001 })),
    DOMException,
    "open a port",
  );
  const signal = AbortSignal.abort(new Error("called off"));
  assertThrows(() => claim.claim(0, new Deadline({ signal })), Error, "called off");
  const later = new AbortController();
  const waited = claim.claimAsync(0, new Deadline({ signal: later.signal }));
  later.abort(new Error("changed my mind"));
  await assertRejects(() => waited, Error, "changed my mind");
  holder.unlock(0);
  assertEquals([claim.claim(0, over), await claim.claimAsync(0, over).catch(String)], [
    0,
    "TimeoutError: Cannot open a port within 0 s as no server is in run() or runAsync(): start one, here or by startServer()",
  ]);
});

Deno.test("PortClaim.claimAsync() takes the port that is freed while it waits", async () => {
  const { claim, holder } = scarce();
  const waited = claim.claimAsync(0, undefined);
  holder.unlock(0);
  assertEquals(await waited, 0);
});

Deno.test("PortClaim ends its wait when the channel ends, or when every port is lost", async () => {
  const ended = scarce();
  const waited = ended.claim.claimAsync(9, undefined);
  ended.channel.stop();
  await assertRejects(() => waited, CallError, "opcode 9");
  const lost = scarce();
  const { leaveRequests } = lost.channel;
  const waiting = lost.claim.claimAsync(9, undefined);
  leaveRequests.giveUp(leaveRequests.ask(lost.holder.ownerId), lost.holder.ownerId);
  lost.channel.announceLeaving();
  await assertRejects(() => waiting, CallError, "every port is held");
  assertEquals(statusOf(() => void lost.claim.claim(9, undefined)), Status.serverGone);
});

Deno.test("PortClaim looks at its last port first, and begins at the port behind a full line", () => {
  const channel = Channel.create({ portCount: 20, laneCount: 1 });
  const claims = Array.from({ length: 3 }, () => new PortClaim(new ClientSide(channel, "spin")));
  // 16 ports further each, and one more behind each round.
  assertEquals(claims.map((claim) => claim.tryClaim(0)), [0, 16, 13]);
  assertEquals(claims.map((claim) => claim.tryClaim(0)), [1, 17, 14]);
});

Deno.test("PortClaim does not sleep for ports that its own client holds, all of them", () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const side = new ClientSide(channel, "spin");
  const claim = new PortClaim(side);
  claim.tryClaim(0);
  claim.tryClaim(0);
  const short = new Deadline({ timeoutSeconds: 0.001 });
  assertThrows(() => claim.claim(0, short), DOMException, "open a port");
  const { signal } = new AbortController();
  for (const unlimited of [undefined, new Deadline({ signal })]) {
    assertThrows(() => claim.claim(0, unlimited), InvariantError, "all of them itself");
  }
});

Deno.test("PortClaim that is woken looks whether it still may claim before it takes a port", async () => {
  const ends = [
    [({ channel }: Woken) => channel.stop(), CallError],
    [({ channel, waiting }: Woken) => {
      channel.leaveRequests.ask(waiting.ownerId);
      channel.announceLeaving();
    }, CallError],
    [({ controller }: Woken) => controller.abort(new RangeError("called off")), RangeError],
  ] as const;
  for (const [end, kind] of ends) {
    for (const isAsync of [false, true]) {
      const { channel, words } = meddledChannel();
      const holder = new ClientSide(channel, "park");
      assert(holder.tryLockOwned(0));
      const waiting = new ClientSide(channel, "park");
      const controller = new AbortController();
      const wake = () => {
        end({ channel, waiting, controller });
        holder.unlock(0);
      };
      words.onSleep = wake;
      words.waitAsync = () => Promise.resolve(wake());
      const claim = new PortClaim(waiting);
      const deadline = new Deadline({ signal: controller.signal });
      const operation = async () =>
        isAsync ? await claim.claimAsync(9, deadline) : claim.claim(9, deadline);
      await assertRejects(operation, kind);
      assertEquals(waiting.locks.holds(0), false);
    }
  }
});
interface Woken {
  readonly channel: Channel;
  readonly waiting: ClientSide;
  readonly controller: AbortController;
}
