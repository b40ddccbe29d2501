import type { Point } from "../../scenarios/axis.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import type { Scenario, Trial } from "../../scenarios/scenario.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { type PeerEnd, type PeerName, PEERS } from "./peer_ends.ts";

const axes = {
  peer: Object.keys(PEERS) as PeerName[],
  /** There, and the same back. */
  payloadBytes: [8, 1 << 20],
} as const;

/**
 * A function of bytes that runs in another thread, called as each package documents it. Not kept on
 * processors: what a package starts by itself would share the one of the calling thread.
 */
export const peers: Scenario<typeof axes> = {
  name: "peers",
  question: "What does a call cost through the packages that one would take instead?",
  axes,
  floor: pingPong,
  setup: preparePeer,
};

async function preparePeer(
  { peer, payloadBytes }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  const end: PeerEnd = await PEERS[peer](partner);
  const { wake, rest } = end;
  const bytes = new Uint8Array(payloadBytes);
  return {
    run: (callCount) => callAgain(end, bytes, callCount),
    ...wake && { wake },
    ...rest && { rest },
    [Symbol.asyncDispose]: () => Promise.resolve(end.close()),
  };
}

/** Waits for promises only where there are some: whoever blocks is not charged for the event loop. */
export function callAgain(
  end: PeerEnd,
  bytes: Uint8Array,
  callCount: number,
): void | Promise<void> {
  for (let call = 0; call < callCount; call++) {
    const answer = end.call(bytes);
    if (answer instanceof Promise) {
      return callOn(end, bytes, { answer, callCount: callCount - call });
    }
    check(bytes, answer);
  }
}

async function callOn(
  end: PeerEnd,
  bytes: Uint8Array,
  first: { readonly answer: Promise<Uint8Array>; readonly callCount: number },
): Promise<void> {
  check(bytes, await first.answer);
  for (let call = 1; call < first.callCount; call++) check(bytes, await end.call(bytes));
}

/** The answer becomes part of the next call, so that no old answer passes for a new one. */
function check(bytes: Uint8Array, answer: Uint8Array): void {
  const expected = (bytes[0]! + 1) & 0xff;
  if (answer.length !== bytes.length || answer[0] !== expected) {
    throw new Error("Cannot trust the calls as the bytes did not come back one larger");
  }
  bytes[0] = expected;
}
