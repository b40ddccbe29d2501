import { CallError } from "../../call/call_error.ts";
import type { MessageWriter } from "../../call/message.ts";
import type { Packet } from "../../memory/packet.ts";
import { CallAbandonedError, type ServerSide } from "./server_side.ts";

/**
 * Gives the first packet of an error to the client, then the rest as the client asks for it, and
 * returns the port. Blocks, at most as long as clients may take for one step of a call, for all of it;
 * a client that has enough closes its port.
 */
export function sendRest(side: ServerSide, packet: Packet, rest: MessageWriter): void {
  const { index } = packet;
  const limit = side.stepDeadline();
  try {
    for (side.giveAway(index); !rest.isDone; side.giveAway(index)) {
      side.awaitBuffer(index, limit);
      rest.put(packet);
    }
  } catch (error) {
    passUnlessLeft(error);
  } finally {
    side.unlock(index);
  }
}

/** As {@linkcode sendRest}, without blocking the event loop. */
export async function sendRestAsync(
  side: ServerSide,
  packet: Packet,
  rest: MessageWriter,
): Promise<void> {
  const { index } = packet;
  const limit = side.stepDeadline();
  try {
    for (side.giveAway(index); !rest.isDone; side.giveAway(index)) {
      await side.awaitBufferAsync(index, limit);
      rest.put(packet);
    }
  } catch (error) {
    passUnlessLeft(error);
  } finally {
    side.unlock(index);
  }
}

/** Who left, or was too late, or is on a channel that has ended, has heard enough. */
function passUnlessLeft(error: unknown): void {
  if (error instanceof CallAbandonedError || error instanceof CallError) return;
  throw error;
}
