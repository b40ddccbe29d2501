import { laneMask } from "../../memory/lane_mask.ts";
import type { Packet } from "../../memory/packet.ts";
import type { AsyncContext, Service } from "../../toggle/server/service_table.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import type { ApiFunction } from "../declare/signature.ts";
import type { Later } from "./host_call.ts";
import { SignatureError } from "../wire/request_decoder.ts";

/** A function, and what serves its packets. */
export interface Meeting {
  readonly target: ApiFunction;
  readonly lanes: Service;
}

/** A function, and the lanes of a packet that call it. */
interface Share {
  readonly lanes: Service;
  readonly lo: number;
  readonly hi: number;
}

/**
 * What serves an opcode at which several functions are called: kernels know no other opcode than that
 * of the name. Each lane says by its hash which one it means, so that one packet may hold calls of
 * several; they are served one function after the other.
 *
 * Functions that are served by streams cannot be told apart so: where one is among them, the first has
 * the opcode for itself.
 */
export function meetingService(meetings: readonly [Meeting, ...Meeting[]]): Service {
  const [first] = meetings;
  const isOne = meetings.length === 1;
  const operates = ({ lanes }: Meeting) => lanes.operate ?? lanes.asynchronous?.operate;
  if (isOne || !meetings.every(operates)) return first.lanes;
  const waits = meetings.flatMap(({ lanes }) => lanes.asynchronous?.timeoutSeconds ?? []);
  if (waits.length === 0) return { operate: (packet) => serve(packet, meetings) };
  const operate = (packet: Packet, context: AsyncContext) => serveAsync(packet, meetings, context);
  return { asynchronous: { operate, timeoutSeconds: Math.max(...waits) } };
}

function serve(
  packet: Packet,
  meetings: readonly [Meeting, ...Meeting[]],
): Later<Packet> | undefined {
  const { lo, hi } = packet.mask;
  const late: Later<Packet>[] = [];
  try {
    for (const share of sharesOf(packet, meetings)) {
      packet.aim(packet.index, share.lo, share.hi);
      const later: unknown = share.lanes.operate!(packet);
      if (later instanceof Pending) late.push(later);
    }
  } catch (error) {
    for (const one of late) one.cancel(error as Error);
    throw error;
  }
  packet.aim(packet.index, lo, hi);
  if (late.length === 0) return undefined;
  return Pending.all(late).map((answers) => (target) => {
    for (const answer of answers) answer(target);
  });
}

async function serveAsync(
  packet: Packet,
  meetings: readonly [Meeting, ...Meeting[]],
  context: AsyncContext,
): Promise<void> {
  const { lo, hi } = packet.mask;
  for (const share of sharesOf(packet, meetings)) {
    packet.aim(packet.index, share.lo, share.hi);
    const { operate, asynchronous } = share.lanes;
    const later: unknown = operate
      ? operate(packet)
      : await asynchronous!.operate!(packet, context);
    if (later instanceof Pending) (await (later as Later<Packet>).settled(context.signal))(packet);
  }
  packet.aim(packet.index, lo, hi);
}

/** @throws {SignatureError} when a lane means none of the functions */
function sharesOf(packet: Packet, meetings: readonly [Meeting, ...Meeting[]]): Share[] {
  const lanesOf = new Map<number, number[]>();
  packet.forEachLane((lane) => {
    const hash = packet.getUint32(lane, 0);
    if (!meetings.some(({ target }) => target.hash === hash)) {
      throw new SignatureError(meetings[0].target);
    }
    lanesOf.set(hash, [...lanesOf.get(hash) ?? [], lane]);
  });
  return [...lanesOf].map(([hash, lanes]) => {
    const { lanes: service } = meetings.find(({ target }) => target.hash === hash)!;
    return { lanes: service, ...laneMask(...lanes) };
  });
}
