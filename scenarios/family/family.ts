import { SharedWords } from "../../core/memory/words.ts";
import type { Point } from "../axis.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Scenario, Trial } from "../scenario.ts";
import { pingPong } from "../worker/ping_pong.ts";
import { FAMILY, type FamilyProtocol, type ProtocolName } from "./protocols.ts";

const axes = {
  protocol: Object.keys(FAMILY) as ProtocolName[],
  portCount: [1, 64],
  laneCount: [1, 32],
} as const;

/**
 * The word that tells the server to rest: 1 for yes. It has a buffer of its own. The server looks at it
 * only when it has found no call, so that no call pays for it.
 */
const REST_WORD = 32;
const REST_BYTES = 384;

/** One checked call through each protocol, both sides spinning: the work is that of `round_trip`. */
export const family: Scenario<typeof axes> = {
  name: "family",
  question: "Which protocol of the family carries the same call fastest?",
  axes,
  compares: "protocol",
  floor: pingPong,
  isPair: true,
  skip: ({ protocol, laneCount }) =>
    protocol === "command_ring" && laneCount > 1 ? "a command of the ring has no lanes" : undefined,
  setup: prepareFamily,
};

interface FamilyServerInit {
  readonly point: Point<typeof axes>;
  readonly handle: unknown;
  readonly restBuffer: SharedArrayBuffer;
}

async function prepareFamily(point: Point<typeof axes>, partner: Partner): Promise<Trial> {
  const channel = FAMILY[point.protocol].create(point);
  const restBuffer = new SharedArrayBuffer(REST_BYTES);
  const restWords = new SharedWords(restBuffer);
  const { wake, rest } = await partner.assign({
    moduleUrl: import.meta.url,
    init: { point, handle: channel.handle, restBuffer } satisfies FamilyServerInit,
    signalRest: () => restWords.store(REST_WORD, 1),
  });
  const caller = channel.caller();
  return {
    run: (callCount) => caller.call(callCount),
    wake() {
      // Sync: before the server's first look at it, which would otherwise rest at once.
      restWords.store(REST_WORD, 0);
      wake();
    },
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.stop()),
  };
}

/** Runs in the partner's isolate. */
export function prepareWork({ point, handle, restBuffer }: FamilyServerInit): Work {
  const protocol: FamilyProtocol = FAMILY[point.protocol];
  const channel = protocol.attach(handle as never, point);
  const server = channel.server();
  const restWords = new SharedWords(restBuffer);
  return () => {
    try {
      while (server.runOnce() || restWords.load(REST_WORD) === 0);
    } catch (error) {
      channel.stop(); // otherwise the client would wait forever
      throw error;
    }
  };
}
