import { Client, USER_OPCODE_FIRST } from "../../core/mod.ts";
import type { Point } from "../axis.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";
import { pingPong } from "./ping_pong.ts";

const axes = {
  payloadBytes: [8, 64, 512, 4096, 32_768, 262_144, 1_048_576],
  /** The width of a packet: bytes beyond it take more packets. */
  laneCount: [1, 8, 64],
} as const;

const ECHO_OPCODE = USER_OPCODE_FIRST;
const LIMIT_BYTES = 1 << 21;

/** The least that such a call can cost: the bytes are copied there and back, and nobody waits. */
const plainCopy: Control<typeof axes> = {
  name: "plain_copy",
  setup({ payloadBytes }) {
    const [here, there] = [payloadBytes, payloadBytes].map((bytes) =>
      new Uint8Array(new SharedArrayBuffer(bytes))
    );
    return Promise.resolve({
      run(callCount: number) {
        for (let call = 0; call < callCount; call++) {
          there!.set(here!);
          here!.set(there!);
        }
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

/** A call with bytes there and the same bytes back, of which the first comes back one larger. */
export const payload: Scenario<typeof axes> = {
  name: "payload",
  question: "How many bytes a second do calls carry as their payload grows?",
  axes,
  floor: pingPong,
  references: [plainCopy],
  isPair: true,
  bytesPerCall: ({ payloadBytes }) => 2 * payloadBytes,
  setup: preparePayload,
};

function preparePayload(
  { payloadBytes, laneCount }: Point<typeof axes>,
  partner: Partner,
): Promise<Trial> {
  return prepareServed({ portCount: 1, laneCount }, partner, {
    moduleUrl: import.meta.url,
    callerOf(channel) {
      const client = new Client(channel, { waiter: "spin" });
      const bytes = new Uint8Array(payloadBytes);
      return { call: (callCount) => callMessage(client, bytes, callCount) };
    },
  });
}

/**
 * Makes the call again and again: each answer says what is asked next.
 *
 * @throws {Error} when the bytes come back otherwise
 */
export function callMessage(
  client: Pick<Client, "callMessage">,
  bytes: Uint8Array,
  callCount: number,
): void {
  for (let call = 0; call < callCount; call++) {
    const answer = client.callMessage(ECHO_OPCODE, bytes, { limitBytes: LIMIT_BYTES });
    const expected = (bytes[0]! + 1) & 0xff;
    if (answer.length !== bytes.length || answer[0] !== expected) {
      throw new Error("Cannot trust the calls as the bytes did not come back one larger");
    }
    bytes[0] = expected;
  }
}

/** Runs in the partner's isolate. */
export function prepareWork(init: ServerInit): Work {
  return servingWith(
    init,
    (server) => server.operateMessage(ECHO_OPCODE, addToFirst, { limitBytes: LIMIT_BYTES }),
  );
}

function addToFirst(bytes: Uint8Array): Uint8Array {
  bytes[0]! += 1;
  return bytes;
}
