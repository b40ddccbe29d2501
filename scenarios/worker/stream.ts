import { Client, recvStream, sendStream, USER_OPCODE_FIRST } from "../../core/mod.ts";
import { prepareServed, type ServerInit, servingWith } from "../calls/increment_server.ts";
import type { Partner, Work } from "../partner/partner.ts";
import type { Control, Scenario, Trial } from "../scenario.ts";

const axes = {
  laneCount: [1, 8, 32],
  /** How many parts of a packet are under way at once. */
  window: [1, 2, 4],
} as const;

/** Of each lane. */
const PAYLOAD_BYTES = 1 << 16;
const WIDE_BYTES = 65_536;
const STREAM_OPCODE = USER_OPCODE_FIRST;

/** A packet of 64 bytes a lane after another, as LLVM libc sends a stream. */
const plainStream: Control<typeof axes> = {
  name: "plain_stream",
  setup: ({ laneCount }, partner) =>
    prepareStreams(partner, { laneCount, laneBytes: 64, window: 1 }),
};

/** The least that the bytes can cost: one copy from one shared memory to another, in one thread. */
const plainSet: Control<typeof axes> = {
  name: "plain_set",
  setup({ laneCount }) {
    const [source, target] = [1, 2].map(() =>
      new Uint8Array(new SharedArrayBuffer(laneCount * PAYLOAD_BYTES))
    );
    return Promise.resolve({
      run(callCount: number) {
        for (let call = 0; call < callCount; call++) target!.set(source!);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

/** 64 KiB a lane to a server, which answers with a byte of what came, by the widest lanes. */
export const stream: Scenario<typeof axes> = {
  name: "stream",
  question: "How many bytes a second does a stream carry by wide lanes, with parts under way?",
  axes,
  floor: plainSet,
  references: [plainStream],
  isPair: true,
  bytesPerCall: ({ laneCount }) => laneCount * PAYLOAD_BYTES,
  targets: [{
    text: "a stream of 64 KiB a lane with a window of 2, times faster than by packets of 64 bytes",
    where: { window: 2 },
    figure: { kind: "timesFasterThan", reference: plainStream.name },
    bound: "at least",
    limit: 10,
  }, {
    text: "a stream of 64 KiB a lane with a window of 2, in plain copies of as many bytes",
    where: { window: 2 },
    figure: { kind: "timesFloor" },
    bound: "at most",
    limit: 3,
  }],
  setup: (point, partner) => prepareStreams(partner, { ...point, laneBytes: WIDE_BYTES }),
};

function prepareStreams(
  partner: Partner,
  { window, ...shape }: {
    readonly laneCount: number;
    readonly laneBytes: number;
    readonly window: number;
  },
): Promise<Trial> {
  const payloads = Array.from({ length: shape.laneCount }, () => new Uint8Array(PAYLOAD_BYTES));
  return prepareServed({ portCount: 1, ...shape }, partner, {
    moduleUrl: import.meta.url,
    callerOf(channel) {
      const client = new Client(channel, { waiter: "spin" });
      return { call: (callCount) => sendStreams(client, payloads, { callCount, window }) };
    },
  });
}

/**
 * Sends a stream after another; the last byte of each lane tells them apart, and comes back.
 *
 * @throws {Error} when it comes back otherwise
 */
export function sendStreams(
  client: Pick<Client, "open">,
  payloads: readonly Uint8Array[],
  { callCount, window }: { readonly callCount: number; readonly window: number },
): void {
  for (let call = 0; call < callCount; call++) {
    for (const payload of payloads) payload[payload.length - 1] = call;
    using port = client.open(STREAM_OPCODE);
    sendStream(port, payloads, { window });
    let isWrong = false;
    port.recv((packet) =>
      packet.forEachLane((lane) => {
        isWrong ||= packet.getUint32(lane, 0) !== payloads[lane]!.at(-1);
      })
    );
    if (isWrong) throw new Error("Cannot trust the streams as another last byte came back");
  }
}

/** Runs in the partner's isolate. */
export function prepareWork(init: ServerInit): Work {
  return servingWith(init, (server, { layout }) => {
    const memory = new Uint8Array(layout.laneCount * PAYLOAD_BYTES);
    const allocate = (lengthBytes: number, lane: number) =>
      memory.subarray(lane * PAYLOAD_BYTES, lane * PAYLOAD_BYTES + lengthBytes);
    server.operatePort(STREAM_OPCODE, (port) => {
      const payloads = recvStream(port, { limitBytes: PAYLOAD_BYTES, allocate });
      port.send((packet) =>
        packet.forEachLane((lane) => packet.setUint32(lane, 0, payloads[lane]!.at(-1)!))
      );
    });
  });
}
