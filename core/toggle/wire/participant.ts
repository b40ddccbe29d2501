import { SharedWords, type Words } from "../../memory/words.ts";

/** The size of the page in front of a shared file's channel, in bytes. */
export const ROSTER_BYTES = 65_536;
/** How many processes may share a file at once. */
export const PARTICIPANTS_MAX = 128;
/** Where the processes stand, and how many words each has. */
export const SLOTS_WORD = 64;
export const SLOT_WORDS = 8;
/** Words of a slot. */
export const SlotWord = {
  /** 0 while the slot is free. */
  pid: 0,
  /** When the process began, as the system counts; 0 until it is known. */
  start: 1,
  /** The number of the process that takes back what this one held, which is dead. */
  burier: 2,
  /** How many servers of the process are inside `run()`. */
  serving: 3,
} as const;
/** Where it stands whose the clients and servers are, by their ids. */
export const OWNERS_WORD = 2048;
/** How many of the newest clients and servers that is known of. */
export const OWNERS_MAX = 8192;
const SLOT_SHIFT = 24;

/** A process that shares the memory of a channel: travels to its Workers. */
export interface ParticipantHandle {
  /** The page that says who shares the memory. */
  readonly roster: SharedArrayBuffer;
  /** Which of the processes this is, 0 to 127. */
  readonly slot: number;
}

/** What one process notes of its clients and servers, for others to take back what they held if it dies. */
export class Participant {
  readonly handle: ParticipantHandle;
  readonly #words: Words;

  constructor(handle: ParticipantHandle) {
    this.handle = handle;
    this.#words = new SharedWords(handle.roster);
  }

  /** A client or server of this process has a number. */
  noteOwner(id: number): void {
    const entry = (this.handle.slot + 1) << SLOT_SHIFT | Math.floor(id / OWNERS_MAX);
    // Sync: before the id locks anything; pairs with who buries this process. Written behind a lock, a
    // death in between would leave the port locked for good.
    this.#words.store(OWNERS_WORD + id % OWNERS_MAX, entry);
  }

  /**
   * So many more servers of a process are inside `run()`; returns how many of all processes.
   *
   * @param ownerId of one of that process, whose share went with it when it was buried; absent: of this one
   */
  noteServing(change: number, ownerId?: number): number {
    const words = this.#words;
    const owner = ownerId === undefined
      ? { id: ownerId, slot: this.handle.slot }
      : ownerOf(words, ownerId % OWNERS_MAX);
    if (owner?.id === ownerId) words.add(slotWord(owner!.slot) + SlotWord.serving, change);
    return servingCount(words);
  }
}

/** How many servers of all processes are inside `run()`; below 0 are those of one that is being buried. */
export function servingCount(words: Words): number {
  let count = 0;
  for (let slot = 0; slot < PARTICIPANTS_MAX; slot++) {
    count += Math.max(0, words.load(slotWord(slot) + SlotWord.serving));
  }
  return count;
}

/** The first word of a process. */
export function slotWord(slot: number): number {
  return SLOTS_WORD + slot * SLOT_WORDS;
}

/** Whose a client or server is: its process, and its id; nothing for an entry that nobody wrote. */
export function ownerOf(
  words: Words,
  place: number,
): { readonly slot: number; readonly id: number } | undefined {
  const entry = words.load(OWNERS_WORD + place);
  const slot = (entry >>> SLOT_SHIFT) - 1;
  return slot < 0 ? undefined : { slot, id: (entry & 0xffffff) * OWNERS_MAX + place };
}
