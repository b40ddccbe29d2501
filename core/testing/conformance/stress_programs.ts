import { assert } from "../../memory/assert.ts";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { statusOf } from "../fixtures/status_of.ts";
import type { Client } from "../../toggle/client/client.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { TestOpcode } from "./services.ts";

const DEAF_MILLISECONDS = 400;

/** H8: synchronous and asynchronous calls mixed; the server's count is the result. */
export function mixedCalls(client: Client): number {
  let handled = 0;
  const use = (packet: { getUint32(lane: number, word: number): number }) =>
    handled = packet.getUint32(0, 1);
  for (let call = 0; call < 1023; call++) {
    if (call % 3 === 0) client.cast(TestOpcode.count, () => {});
    else client.call(TestOpcode.count, { fill: () => {}, use });
  }
  client.call(TestOpcode.count, { fill: () => {}, use });
  return handled;
}

/** H9: whole pages, compared word by word, as a canary against any overlap of owners. */
export function stressPages(client: Client): number {
  for (let repetition = 0; repetition < 8192; repetition++) {
    const canary = (client.id << 20) | repetition;
    client.call(TestOpcode.pageIncrement, {
      fill: (packet) => packet.uint32.fill(canary),
      use: ({ uint32 }) => {
        for (const word of uint32) assert(word === canary + 1, "the page is this call's own");
      },
    });
  }
  return 8192;
}

/** Calls for ever, until the server is gone. */
export function callUntilGone(client: Client): number {
  for (let calls = 0;; calls++) {
    try {
      client.call(TestOpcode.increment, { fill: () => {}, use: () => {} });
    } catch (error) {
      if (error instanceof CallError) return error.status;
      throw error;
    }
  }
}

/** Holds a port and looks for another until it is asked to leave; returns what it is told then. */
export function holdUntilAsked(client: Client): number {
  using _held = client.open(TestOpcode.increment);
  return callUntilGone(client);
}

/** As {@linkcode holdUntilAsked}, in the middle of a call whose handler waits for more. */
export function holdInCall(client: Client): number {
  using _held = client.open(TestOpcode.interface, { mask: laneMask(0) }).send(() => {});
  return callUntilGone(client);
}

/** Holds a port and looks at nothing for a while, as a worker does that computes; then calls on. */
export function holdDeaf(client: Client): number {
  const held = client.open(TestOpcode.increment);
  const end = performance.now() + DEAF_MILLISECONDS;
  while (performance.now() < end);
  // It learns of the request while it waits for a slow answer, or at its next call.
  const status = statusOf(() => held.sendAndRecv({ fill: () => {}, use: () => {} }));
  held.close();
  return status === Status.ok ? callUntilGone(client) : status;
}

/** One call, on a port that other clients leave alone; returns how many calls came before it. */
export function countOnce(client: Client): number {
  let count = 0;
  client.call(TestOpcode.count, {
    fill: () => {},
    use: (packet) => count = packet.getUint32(0, 1),
  });
  return count;
}

/** Calls and checks every answer until it is asked to leave or the channel ends; returns why. */
export function checkUntilGone(client: Client): number {
  let value = 0;
  let answer = 0;
  const work = {
    fill: ({ uint32 }: Packet) => uint32.fill(value),
    use: ({ uint32 }: Packet) => answer = uint32[0]!,
  };
  for (;;) {
    const status = statusOf(() => client.call(TestOpcode.increment, work));
    if (status !== Status.ok) return status;
    assert(answer === value + 1, `the answer to ${value} is its successor and not ${answer}`);
    value = (value + client.id) & 0xffff;
  }
}
