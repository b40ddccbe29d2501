import type { Point } from "../../scenarios/axis.ts";
import type { Partner } from "../../scenarios/partner/partner.ts";
import type { Scenario, Trial } from "../../scenarios/scenario.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { type PeerEnd, type PeerName, PEERS } from "./peer_ends.ts";
import { checkAnswer, type PeerValue, peerValue, VALUE_KINDS } from "./peer_value.ts";

const axes = {
  peer: Object.keys(PEERS) as PeerName[],
  value: VALUE_KINDS,
  /** There, and the same back; of an object, as JSON would write it. */
  payloadBytes: [8, 14_000, 1_000_000, 1 << 20],
} as const;

/**
 * A function that runs in another thread, called as each package documents it. Not kept on
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
  { peer, value: kind, payloadBytes }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  const end: PeerEnd = await PEERS[peer](partner);
  const value = peerValue(kind, payloadBytes);
  return {
    run: (callCount) => callAgain(end, value, callCount),
    [Symbol.asyncDispose]: () => Promise.resolve(end.close()),
  };
}

/** Waits for promises only where there are some: whoever blocks is not charged for the event loop. */
export function callAgain(
  end: PeerEnd,
  value: PeerValue,
  callCount: number,
): void | Promise<void> {
  for (let call = 0; call < callCount; call++) {
    const answer = end.call(value);
    if (answer instanceof Promise) {
      return callOn(end, value, { answer, callCount: callCount - call });
    }
    checkAnswer(value, answer);
  }
}

async function callOn(
  end: PeerEnd,
  value: PeerValue,
  first: { readonly answer: Promise<PeerValue>; readonly callCount: number },
): Promise<void> {
  checkAnswer(value, await first.answer);
  for (let call = 1; call < first.callCount; call++) checkAnswer(value, await end.call(value));
}
