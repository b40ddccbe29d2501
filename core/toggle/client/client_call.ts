import type { LaneMask } from "../../memory/lane_mask.ts";
import { type CallWork, Packet } from "../../memory/packet.ts";
import { WHOLE_ERRORS } from "../../memory/port_headers.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { Answered } from "../steps/steps.ts";
import type { CallHead } from "./client_port.ts";
import type { ClientSide } from "./client_side.ts";
import { readFault } from "./fault_reader.ts";
import type { PortClaim } from "./port_claim.ts";

/** How a call is made. */
export interface CallOptions extends WaitOptions {
  /** The lanes that take part; all when absent. */
  readonly mask?: LaneMask;
}

/** As `Client.call`. */
export type ClientCall = (opcode: number, work: CallWork, options?: CallOptions) => void;

/**
 * Makes the function behind `Client.call`. It stands on constants, and not on the fields of an object, so
 * that the compiler can put their addresses into the code.
 *
 * @param headOf checks what is called and how
 */
export function clientCall(
  side: ClientSide,
  claim: PortClaim,
  headOf: (opcode: number, options: CallOptions | undefined) => CallHead,
): ClientCall {
  const { views, burstPolls } = side;
  const { begin } = side.headers;
  const { call: giveAndAwait, release } = side.steps;
  /** The head of a call without options: most clients ask for the same thing again. */
  let usual = headOf(0, undefined);
  /** The packet object, used again; absent while a call runs. */
  let spare: Packet | undefined;
  return (opcode, work, options) => {
    let head = usual;
    if (options !== undefined) head = headOf(opcode, options);
    else if (opcode !== head.opcode) head = usual = headOf(opcode, undefined);
    const { mask } = head;
    const index = claim.claim(opcode, head.deadline);
    const packet = spare ?? new Packet(views);
    spare = undefined;
    try {
      begin(index, opcode | WHOLE_ERRORS, mask);
      packet.aim(index, mask.lo, mask.hi);
      const filled: unknown = work.fill(packet);
      if (filled !== undefined) packet.checkSync(filled, "a fill");
      const answered = giveAndAwait(index, burstPolls);
      if (answered !== Answered.good && !side.awaitAnswer(answered, index, head)) {
        throw readFault(side, packet, head);
      }
      const used: unknown = work.use(packet);
      if (used !== undefined) packet.checkSync(used, "a use");
    } finally {
      side.noteReleased(index, release(index));
      if (!packet.isDetached) spare = packet;
    }
  };
}
