/**
 * The process of a guest. Its parent is `startSandbox`, which tells it what stands in `guest_api.ts`.
 * Whatever it needs of the system is asked for before the wall is up and the guest begins.
 *
 * @module
 */
import { MappedChannel } from "../../../system/mapped_channel.ts";
import { Parent } from "../../../system/child.ts";
import { raiseWall } from "../../../system/wall.ts";
import type { Channel } from "../../../toggle/channel.ts";
import { revokePermissions } from "./deno_permissions.ts";
import { Guest } from "./guest.ts";
import type { MappedPlace, ProcessRequest } from "./guest_api.ts";

/** The host answers soon or not for long, and every wake takes one nap at least. */
const NAPS = { firstMilliseconds: 0.05, longestMilliseconds: 8 };

const parent = new Parent();
const wakes: (() => void)[] = [];
let guest: Guest;

/** Nothing of C's library is left afterwards. */
function open({ path, shape }: MappedPlace): Channel {
  using mapped = MappedChannel.open(path, shape);
  const { words, channel } = mapped;
  words.naps = NAPS;
  words.onNotify = () => parent.ring();
  wakes.push(() => words.wakeSleepers());
  return channel;
}

function start(request: Extract<ProcessRequest, { kind: "start" }>): void {
  const calls = open(request.calls);
  guest = new Guest(open(request.own));
  let missing: readonly string[];
  try {
    missing = raiseWall(request.limits, parent.pid);
    revokePermissions();
  } catch (error) {
    return guest.refuse(error);
  }
  guest.run(calls, request, missing);
}

const { exit } = Deno;
await parent.listen({
  onMessage(message) {
    const request = message as ProcessRequest;
    if (request.kind === "start") return start(request);
    if (request.kind === "call") return void guest.answer(request);
    guest.leave();
    exit(0);
  },
  onRing: () => wakes.forEach((wake) => wake()),
});
exit(0);
