import type { SourceChange } from "../explorer/changed_core.ts";
import type { RingPlan } from "./ring_plan.ts";

/** A defect of the original, or one that is easily made, and the smallest plan in which it shows. */
export interface PlantedRingFault extends SourceChange, RingPlan {
  readonly name: string;
  /** What else it takes. */
  readonly also?: SourceChange;
  /** Whether a count grows for ever: there are too many states, then, however many are taken. */
  readonly isEndless?: boolean;
}

const WRITER = "command_ring/command_writer.ts";
const READER = "command_ring/server/command_reader.ts";
const SLOTS = "command_ring/return_slots.ts";

/** The original's, as far as they are of order: what each command is, `command_writer_test.ts` tests. */
export const PLANTED_RING_FAULTS: readonly PlantedRingFault[] = [
  {
    name: "the host's stride is not the client's (original)",
    slotCount: 1,
    cellCount: 2,
    clients: [["cast"], ["cast"]],
    file: WRITER,
    from: "readyWord(count));",
    to: "readyWord(count * 8));",
  },
  {
    name: "a command is ready before it is written (original)",
    slotCount: 1,
    cellCount: 1,
    clients: [["call"]],
    file: WRITER,
    from:
      "    this.#fill(buffer + first, command);\n    return this.#publish(buffer + first, count);",
    to:
      "    const sent = this.#publish(buffer + first, count);\n    this.#fill(buffer + first, command);\n    return sent;",
  },
  {
    name: "the host passes a command over whose writer is not done (original)",
    slotCount: 1,
    cellCount: 1,
    clients: [["call"]],
    file: READER,
    from: "      if (cellState(state) !== CellState.left) return undefined;\n",
    to: "",
  },
  {
    name: "commands between the host's look and its swap are lost (original)",
    slotCount: 1,
    cellCount: 2,
    clients: [["cast"], ["cast"]],
    file: READER,
    from: "    const top = words.exchange(layout.topWord, swappedTop(seen));\n",
    to: "    const top = seen;\n    words.store(layout.topWord, swappedTop(seen));\n",
  },
  {
    name: "which buffer is current is asked after the claim (original)",
    slotCount: 2,
    cellCount: 1,
    clients: [["call"], ["call"]],
    file: WRITER,
    from: "const buffer = currentBuffer(top) * layout.cellCount;",
    to: "const buffer = currentBuffer(words.load(layout.topWord)) * layout.cellCount;",
  },
  {
    name: "a buffer is used again before its torn writers have said that they are done (original)",
    slotCount: 2,
    cellCount: 1,
    clients: [["cast"], ["cast", "cast"]],
    tears: true,
    file: READER,
    from:
      "      if (cellState(words.load(this.#stateWord(at))) === CellState.torn) return false;\n",
    to: "",
  },
  {
    name: "a claim that overran the buffer leaves a hole (original)",
    slotCount: 1,
    cellCount: 2,
    clients: [["cast"], ["wide"]],
    file: WRITER,
    from: "    this.#leave(buffer + first, cellCount - first);\n",
    to: "    void [buffer, first, cellCount];\n",
  },
  {
    name: "a slot is taken by a look and a store (original: always the same slot)",
    slotCount: 1,
    cellCount: 2,
    clients: [["call"], ["call"]],
    file: SLOTS,
    from:
      "const held = words.compareExchange(slotStateWord + slot, SlotState.free, SlotState.pending);",
    to:
      "const held: number = words.load(slotStateWord + slot);\n      if (held === SlotState.free) words.store(slotStateWord + slot, SlotState.pending);",
  },
  {
    name: "a result is put down after the slot is done",
    slotCount: 1,
    cellCount: 1,
    clients: [["call"]],
    file: SLOTS,
    from:
      "    const word = layout.packetsWord + slot * layout.packetWords;\n    words.plain[word] =",
    to:
      "    const word = layout.packetsWord + slot * layout.packetWords;\n    this.#end(slot);\n    words.plain[word] =",
  },
  {
    name: "a host that swapped wakes nobody",
    slotCount: 1,
    cellCount: 1,
    clients: [["cast", "call"]],
    sleeps: true,
    file: READER,
    from: "    freeBell.ring();\n",
    to: "    void freeBell;\n",
  },
  {
    name: "the host sleeps after it passed over what was left, without a look at the other buffer",
    slotCount: 1,
    cellCount: 2,
    clients: [["cast"], ["wide"]],
    sleeps: true,
    file: READER,
    from: "      this.#pass(1);\n",
    to: "      this.#pass(1);\n      if (this.#at >= this.#end) return undefined;\n",
  },
  {
    name: "a client that waits for room takes a slot at every look, and so wakes itself",
    slotCount: 1,
    cellCount: 1,
    clients: [["cast", "call"]],
    sleeps: true,
    isEndless: true,
    file: "command_ring/client/client.ts",
    from: '    if (!this.#writer.hasRoom(bytes)) return { kind: "bufferFull" };\n',
    to: "",
    also: {
      file: WRITER,
      from: "    const count = cellsOf(command.bytes.length);\n",
      to:
        '    const count = cellsOf(command.bytes.length);\n    if (!this.hasRoom(command.bytes)) return "bufferFull";\n',
    },
  },
  {
    name: "a client that sent a command wakes nobody",
    slotCount: 1,
    cellCount: 1,
    clients: [["call"]],
    sleeps: true,
    file: WRITER,
    from: '    workBell.ring();\n    return "sent";',
    to: '    void workBell;\n    return "sent";',
  },
];
