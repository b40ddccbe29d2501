import type { SourceFault } from "../explorer/changed_core.ts";
import type { RingPlan } from "./ring_plan.ts";

/** A defect of the original, or a likely one, and the smallest plan that shows it. */
export interface PlantedRingFault extends SourceFault, Partial<RingPlan> {
  readonly name: string;
  /** A further change that the fault needs. */
  readonly also?: SourceFault;
  /** Whether a count grows forever, so that there are always more states than the limit. */
  readonly isEndless?: boolean;
}

const WRITER = "command_ring/command_writer.ts";
const READER = "command_ring/command_reader.ts";
const SLOTS = "command_ring/return_slots.ts";

/** The original's defects of order, and likely ones. `defects_test.ts` has the original's others. */
export const PLANTED_RING_FAULTS: readonly PlantedRingFault[] = [
  {
    name: "the host's stride is not the client's (original)",
    cellCount: 2,
    clients: [["cast"], ["cast"]],
    place: `${WRITER} CommandWriter.#publish`,
    from: "readyWord(count));",
    to: "readyWord(count * 8));",
  },
  {
    name: "a command is ready before it is written (original)",
    place: `${WRITER} CommandWriter.tryWrite`,
    from: "this.#fill(buffer + first, command); return this.#publish(buffer + first, count);",
    to:
      "const sent = this.#publish(buffer + first, count); this.#fill(buffer + first, command); return sent;",
  },
  {
    name: "the host passes a command over whose writer is not done (original)",
    place: `${READER} CommandReader.tryRead`,
    from: "if (cellState(state) !== CellState.left) return undefined;",
  },
  {
    name: "commands between the host's look and its swap are lost (original)",
    cellCount: 2,
    clients: [["cast"], ["cast"]],
    place: `${READER} CommandReader.#trySwap`,
    from: "const top = words.exchange(layout.topWord, swappedTop(seen));",
    to: "const top = seen; words.store(layout.topWord, swappedTop(seen));",
  },
  {
    name: "which buffer is current is asked after the claim (original)",
    slotCount: 2,
    clients: [["call"], ["call"]],
    place: `${WRITER} CommandWriter.tryWrite`,
    from: "const buffer = currentBuffer(top) * layout.cellCount;",
    to: "const buffer = currentBuffer(words.load(layout.topWord)) * layout.cellCount;",
  },
  {
    name: "a buffer is used again before its torn writers have said that they are done (original)",
    slotCount: 2,
    clients: [["cast"], ["cast", "cast"]],
    tears: true,
    place: `${READER} CommandReader.#tryClean`,
    from: "if (cellState(words.load(this.#stateWord(at))) === CellState.torn) return false;",
  },
  {
    name: "a claim that overran the buffer leaves a hole (original)",
    cellCount: 2,
    clients: [["cast"], ["wide"]],
    place: `${WRITER} CommandWriter.#overrun`,
    from: "this.#leave(buffer + first, cellCount - first);",
    to: "void [buffer, first, cellCount];",
  },
  {
    name: "a slot is taken by a look and a store (original: always the same slot)",
    cellCount: 2,
    clients: [["call"], ["call"]],
    place: `${SLOTS} ReturnSlots.tryAcquire`,
    from:
      "const held = words.compareExchange(slotStateWord + slot, SlotState.free, SlotState.pending);",
    to:
      "const held: number = words.load(slotStateWord + slot); if (held === SlotState.free) words.store(slotStateWord + slot, SlotState.pending);",
  },
  {
    name: "a result is put down after the slot is done",
    place: `${SLOTS} ReturnSlots.answer`,
    from: "const word = layout.packetsWord + slot * layout.packetWords; words.plain[word] =",
    to:
      "const word = layout.packetsWord + slot * layout.packetWords; this.#end(slot); words.plain[word] =",
  },
  {
    name: "a host that swapped wakes nobody",
    clients: [["cast", "call"]],
    sleeps: true,
    place: `${READER} CommandReader.#trySwap`,
    from: "freeBell.ring();",
    to: "void freeBell;",
  },
  {
    name: "the host sleeps after it passed over what was left, without a look at the other buffer",
    cellCount: 2,
    clients: [["cast"], ["wide"]],
    sleeps: true,
    place: `${READER} CommandReader.tryRead`,
    from: "this.#pass(1);",
    to: "this.#pass(1); if (this.#at >= this.#end) return undefined;",
  },
  {
    name: "a client that waits for room takes a slot at every look, and so wakes itself",
    clients: [["cast", "call"]],
    sleeps: true,
    isEndless: true,
    place: "command_ring/ring_client.ts RingClient.trySubmit",
    from: 'if (!this.#writer.hasRoom(bytes)) return { kind: "bufferFull" };',
    also: {
      place: `${WRITER} CommandWriter.tryWrite`,
      from: "const count = cellsOf(command.bytes.length);",
      to:
        'const count = cellsOf(command.bytes.length); if (!this.hasRoom(command.bytes)) return "bufferFull";',
    },
  },
  {
    name: "a client that sent a command wakes nobody",
    sleeps: true,
    place: `${WRITER} CommandWriter.#publish`,
    from: 'workBell.ring(); return "sent";',
    to: 'void workBell; return "sent";',
  },
];
