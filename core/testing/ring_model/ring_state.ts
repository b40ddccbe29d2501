import { CELL_WORDS, type RingLayout } from "../../command_ring/layout.ts";
import { CellState, cellState, claimedCells } from "../../command_ring/ring_words.ts";
import { SlotState } from "../../command_ring/return_slots.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { ControlWord } from "../../one_packet/packet_channel.ts";

/** The number of words that are written of a command's header, and of a result. */
const COMMAND_WORDS = 3;
const RESULT_WORDS = 2;

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, word) => first + word);
}

/** The atomic words, except those for sleeping. */
export function orderedWords(layout: RingLayout): number[] {
  const { topWord, cellStateWord, cellCount, slotStateWord, slotCount } = layout;
  return [topWord, ...range(cellStateWord, 2 * cellCount), ...range(slotStateWord, slotCount)];
}

/** The words with which clients and the host sleep and wake. A stop rings all bells. */
export function sleepWordsOf(
  { controlWord, parkedWord, slotCount }: RingLayout,
  sleeps = false,
): number[] {
  const { workSleepers, workBell, freeSleepers, freeBell } = ControlWord;
  const bells = [controlWord + workBell, controlWord + freeBell];
  const marks = [controlWord + workSleepers, controlWord + freeSleepers];
  return sleeps ? [...bells, ...marks, ...range(parkedWord, slotCount)] : bells;
}

/** The plain words, each with its place: a cell, or a slot's result with its header. */
export function plainPlaces(layout: RingLayout): Map<number, number> {
  const places = new Map<number, number>();
  const add = (words: readonly number[], place: number) => {
    for (const word of words) places.set(word, place);
  };
  const cells = 2 * layout.cellCount;
  for (let cell = 0; cell < cells; cell++) {
    add(range(layout.cellsWord + cell * CELL_WORDS, COMMAND_WORDS), cell);
  }
  for (let slot = 0; slot < layout.slotCount; slot++) {
    add(range(layout.packetsWord + slot * layout.packetWords, RESULT_WORDS), cells + slot);
    add(range(layout.headersWord + slot * HEADER_WORDS, HEADER_WORDS), cells + slot);
  }
  return places;
}

/** The states of all cells. */
function cellStates({ cellStateWord, cellCount }: RingLayout, memory: Int32Array): CellState[] {
  return range(cellStateWord, 2 * cellCount).map((word) => cellState(memory[word]!));
}

/** Whether a client would find room for a command of this many cells. */
export function hasRoom(layout: RingLayout, memory: Int32Array, cellCount: number): boolean {
  return claimedCells(memory[layout.topWord]!) + cellCount <= layout.cellCount;
}

/** Whether a client would find a slot. */
export function hasSlot({ slotStateWord, slotCount }: RingLayout, memory: Int32Array): boolean {
  return range(slotStateWord, slotCount).some((word) => memory[word] === SlotState.free);
}

/** Whether the host has work, or soon will. */
export function hasWork(layout: RingLayout, memory: Int32Array): boolean {
  const states = cellStates(layout, memory);
  return states.some((state) => state === CellState.ready || state === CellState.left) ||
    (claimedCells(memory[layout.topWord]!) > 0 && !states.includes(CellState.torn));
}

/** Whether nothing is under way: all slots are free, nothing is claimed, and no cell is in use. */
export function isAtRest(layout: RingLayout, memory: Int32Array): boolean {
  const states = cellStates(layout, memory);
  return range(layout.slotStateWord, layout.slotCount)
    .every((word) => memory[word] === SlotState.free) &&
    claimedCells(memory[layout.topWord]!) === 0 && !states.includes(CellState.ready);
}

const CELL_STEPS: Readonly<Record<number, readonly number[]>> = {
  [CellState.empty]: [CellState.empty, CellState.ready, CellState.left, CellState.torn],
  [CellState.ready]: [CellState.empty],
  [CellState.left]: [CellState.empty],
  [CellState.torn]: [CellState.left],
};

const SLOT_STEPS: Readonly<Record<number, readonly number[]>> = {
  [SlotState.free]: [SlotState.pending],
  [SlotState.pending]: [SlotState.done, SlotState.left, SlotState.free],
  [SlotState.done]: [SlotState.free],
  [SlotState.left]: [SlotState.done],
};

/** The error in a write of a state word, by the two tables. */
export function stateObjection(
  layout: RingLayout,
  memory: Int32Array,
  { word, next }: { readonly word: number; readonly next: number },
): string | undefined {
  const held = memory[word]!;
  const cell = word - layout.cellStateWord;
  if (cell >= 0 && cell < 2 * layout.cellCount) {
    const isStep = CELL_STEPS[cellState(held)]!.includes(cellState(next));
    return isStep ? undefined : `Cell ${cell} goes from ${cellState(held)} to ${cellState(next)}`;
  }
  const slot = word - layout.slotStateWord;
  if (slot < 0 || slot >= layout.slotCount) return undefined;
  return SLOT_STEPS[held]!.includes(next) ? undefined : `Slot ${slot} goes from ${held} to ${next}`;
}
