import { CallError } from "../../call/call_error.ts";
import { errorFrom } from "../../call/error_report.ts";
import { hasErrorText } from "../../call/error_text.ts";
import type { MessageReader } from "../../call/message.ts";
import { decodeError, errorReader } from "../../call/whole_error.ts";
import type { Packet } from "../../memory/packet.ts";
import type { Status } from "../../memory/status.ts";
import type { Deadline } from "../../wait/deadline.ts";
import type { WaitEnd } from "../../wait/wait_end.ts";
import type { ClientSide } from "./client_side.ts";

/** What a call is about, for its error. */
export interface FaultCall {
  readonly opcode: number;
  readonly deadline: Deadline | undefined;
  /** Of an asynchronous wait, which the close of its port ends. */
  readonly end?: WaitEnd | undefined;
}

/**
 * Reads what went wrong in a call whose packet came back with bad news: as many packets as the error
 * takes. Blocks. When the server does not send the rest, the error is what came of it.
 */
export function readFault(side: ClientSide, packet: Packet, call: FaultCall): CallError {
  const { index } = packet;
  const status = side.headers.status(index);
  const reader = beginReading(packet, status);
  try {
    while (reader && !reader.isDone) {
      side.giveAwayAgain(index);
      side.awaitBuffer(index, call.opcode, call.deadline);
      if (side.headers.status(index) !== status) break;
      reader.take(packet);
    }
  } catch {
    // A deadline, or a server that has gone: what came says more than that.
  }
  return faultOf(status, call.opcode, reader);
}

/** As {@linkcode readFault}, without blocking the event loop. */
export async function readFaultAsync(
  side: ClientSide,
  packet: Packet,
  call: FaultCall,
): Promise<CallError> {
  const { index } = packet;
  const status = side.headers.status(index);
  const reader = beginReading(packet, status);
  try {
    while (reader && !reader.isDone) {
      side.giveAwayAgain(index);
      await side.awaitBufferAsync(index, call.opcode, call.deadline, call.end);
      call.end?.check(); // closed between the end of the wait and here, the port may be another's
      if (side.headers.status(index) !== status) break;
      reader.take(packet);
    }
  } catch {
    // As above.
  }
  return faultOf(status, call.opcode, reader);
}

/** Reads as much of what went wrong as is in the packet. Bounded. */
export function readFirstFault(side: ClientSide, packet: Packet, opcode: number): CallError {
  const status = side.headers.status(packet.index);
  return faultOf(status, opcode, beginReading(packet, status));
}

/** A reader that has taken the first packet; none where there is nothing to read. */
function beginReading(packet: Packet, status: Status): MessageReader | undefined {
  if (!hasErrorText(status)) return undefined;
  const reader = errorReader();
  try {
    reader.take(packet);
  } catch {
    return undefined; // a length that no server of this version writes
  }
  return reader;
}

function faultOf(status: Status, opcode: number, reader: MessageReader | undefined): CallError {
  if (!reader) return new CallError(status, { opcode });
  const report = decodeError(reader.bytes);
  return new CallError(status, { opcode, detail: report.message, cause: errorFrom(report) });
}
