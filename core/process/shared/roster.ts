import { SharedWords, type Words } from "../../memory/words.ts";
import { designOfWord, designWord, isAnonymous } from "../../toggle/design/channel_design.ts";
import type { Channel } from "../../toggle/channel.ts";
import {
  type ChannelLayout,
  channelLayout,
  ChannelState,
  ControlWord,
} from "../../toggle/layout.ts";
import { lockOwner } from "../../toggle/lock/owner_locks.ts";
import {
  ownerOf,
  OWNERS_MAX,
  OWNERS_WORD,
  PARTICIPANTS_MAX,
  ROSTER_BYTES,
  servingCount,
  SLOTS_WORD,
  SlotWord,
  slotWord,
} from "../../toggle/wire/participant.ts";
import { reclaimClient, releaseServer } from "../../toggle/reclaim.ts";
import { PACKET_LAYOUTS } from "../../memory/packet_views.ts";

/** The first word of every shared file: "PLAB" in ASCII. */
export const FILE_MAGIC = 0x504c4142;
/** Changes with every change of the first page. */
export const FILE_VERSION = 2;
/** Bytes of a file that say what is in it, in front of its processes. */
export const HEAD_BYTES = SLOTS_WORD * 4;

/** Words of the first page. */
const HeadWord = {
  /** Written last: a file without it is not finished. */
  magic: 0,
  version: 1,
  channelBytes: 2,
  portCount: 3,
  laneCount: 4,
  design: 5,
  laneBytes: 6,
  packetLayout: 7,
  /** Whose numbers of processes stand in the slots. */
  pidNamespace: 8,
} as const;

/** The bytes of the head behind its words are all 0. */
const RESERVED_BYTE = Object.keys(HeadWord).length * 4;

/** When a process began; 0 where nobody knows, `undefined` for one that is dead. */
export type StartOf = (pid: number) => number | undefined;

/** Writes into the first page of a file what is in it. */
export function writeHead(
  roster: SharedArrayBuffer,
  layout: ChannelLayout,
  pidNamespace: number,
): void {
  const words = new SharedWords(roster);
  words.plain[HeadWord.version] = FILE_VERSION;
  words.plain[HeadWord.channelBytes] = layout.totalBytes;
  words.plain[HeadWord.portCount] = layout.portCount;
  words.plain[HeadWord.laneCount] = layout.laneCount;
  words.plain[HeadWord.design] = designWord(layout);
  words.plain[HeadWord.laneBytes] = layout.laneBytes;
  words.plain[HeadWord.packetLayout] = PACKET_LAYOUTS.indexOf(layout.packetLayout);
  words.plain[HeadWord.pidNamespace] = pidNamespace;
  // Sync: behind everything else, the channel's own words too; pairs with readHead() of who opens the file.
  // Written first, that one could believe a channel that is not there yet.
  words.store(HeadWord.magic, FILE_MAGIC);
}

/**
 * What a file says that is in it, checked before any of it is believed.
 *
 * @param head the first bytes of the file
 * @param file `pidNamespace`: of who opens it
 * @throws {TypeError} when it is no shared file, not finished, of another version, with packets or anything else that
 * this one does not know, or of processes in another PID namespace: they would take each other for dead
 * @throws {RangeError} when its numbers are those of no channel, or the file has another size
 */
export function readHead(
  head: Uint8Array<ArrayBuffer>,
  { path, bytes, pidNamespace }: {
    readonly path: string;
    readonly bytes: number;
    readonly pidNamespace: number;
  },
): ChannelLayout {
  const refuse = (why: string) => new TypeError(`Cannot open ${path} as ${why}`);
  if (head.length < HEAD_BYTES) {
    throw refuse(`a shared file begins with ${HEAD_BYTES} bytes: current value is ${head.length}`);
  }
  const view = new DataView(head.buffer, head.byteOffset, HEAD_BYTES);
  const word = (index: number) => view.getInt32(index * 4, true);
  if (word(HeadWord.magic) !== FILE_MAGIC) {
    throw refuse(
      `it is no shared file, or not finished: its first word is 0x${
        (word(HeadWord.magic) >>> 0).toString(16)
      }, that of one 0x${FILE_MAGIC.toString(16)}`,
    );
  }
  const version = word(HeadWord.version);
  if (version !== FILE_VERSION) {
    throw refuse(`it was made by version ${version} of the file: this is version ${FILE_VERSION}`);
  }
  const unknown = head.findIndex((byte, index) => index >= RESERVED_BYTE && byte !== 0);
  if (unknown >= 0) {
    throw refuse(
      `byte ${unknown} of its head means nothing in version ${FILE_VERSION} and must be 0: current value is ${
        head[unknown]
      }`,
    );
  }
  const namespace = word(HeadWord.pidNamespace);
  if (namespace !== pidNamespace) {
    throw refuse(
      `its processes are in PID namespace ${namespace >>> 0}, and this one in ${
        pidNamespace >>> 0
      }: they cannot see whether each other live, so start both in one, as containers do by --pid`,
    );
  }
  const packetLayout = PACKET_LAYOUTS[word(HeadWord.packetLayout)];
  if (packetLayout === undefined) {
    throw refuse(
      `its packets must be laid out as one of ${PACKET_LAYOUTS.join(", ")}: current value is ${
        word(HeadWord.packetLayout)
      }`,
    );
  }
  const layout = channelLayout({
    portCount: word(HeadWord.portCount),
    laneCount: word(HeadWord.laneCount),
    ...designOfWord(word(HeadWord.design)),
    laneBytes: word(HeadWord.laneBytes),
    packetLayout,
  });
  const channelBytes = word(HeadWord.channelBytes) >>> 0;
  if (channelBytes === layout.totalBytes && bytes === fileBytes(layout)) return layout;
  throw new RangeError(
    `Cannot open ${path} as a channel of ${layout.portCount} ports and ${layout.laneCount} lanes takes ${layout.totalBytes} bytes and its file ${
      fileBytes(layout)
    }: current values are ${channelBytes} and ${bytes}`,
  );
}

/** The size of a file with such a channel, in bytes. */
export function fileBytes({ totalBytes }: ChannelLayout): number {
  return ROSTER_BYTES + totalBytes;
}

/**
 * The processes that share a file: each has a slot with its number and its beginning, so that the others
 * see that it died, and give back what its clients and servers held.
 */
export class Roster {
  readonly #words: Words;
  readonly #startOf: StartOf;

  constructor(roster: SharedArrayBuffer, startOf: StartOf) {
    this.#words = new SharedWords(roster);
    this.#startOf = startOf;
  }

  /**
   * Takes a slot for a process; returns which.
   *
   * @throws {RangeError} when there are too many
   */
  join(pid: number): number {
    for (let slot = 0; slot < PARTICIPANTS_MAX; slot++) {
      const word = slotWord(slot);
      // Sync: one of several that come at once has the slot. A slot without a beginning is dead when its
      // process is, so that one that dies here is seen, too.
      if (this.#words.compareExchange(word + SlotWord.pid, 0, pid) !== 0) continue;
      // A server may have been counted out when its process had been buried.
      this.#words.store(word + SlotWord.serving, 0);
      this.#words.store(word + SlotWord.start, this.#startOf(pid) ?? 0);
      return slot;
    }
    throw new RangeError(
      `Cannot join the file as ${PARTICIPANTS_MAX} processes share it already`,
    );
  }

  /** How many processes share the file, dead ones that nobody has noticed included. */
  get count(): number {
    let count = 0;
    for (let slot = 0; slot < PARTICIPANTS_MAX; slot++) {
      if (this.#words.load(slotWord(slot) + SlotWord.pid) !== 0) count++;
    }
    return count;
  }

  /**
   * Takes back what dead processes held; returns how many there were. Bounded.
   *
   * @param own the slot of who does so
   */
  buryDead(channel: Channel, own: number): number {
    let count = 0;
    for (let slot = 0; slot < PARTICIPANTS_MAX; slot++) {
      if (slot === own || !this.#isDead(slot) || !this.#tryBegin(slot, own)) continue;
      if (isAnonymous(channel.layout.portLock)) channel.stop(); // nobody knows what it held
      this.bury(channel, slot);
      count++;
    }
    return count;
  }

  /** Takes back what a process held that is dead, or leaves. */
  bury(channel: Channel, slot: number): void {
    const word = slotWord(slot);
    const ids = this.#takeOwners(slot);
    for (const id of isAnonymous(channel.layout.portLock) ? [] : heldIds(channel)) {
      if (!ids.has(id)) continue;
      reclaimClient(channel, id);
      releaseServer(channel, id);
    }
    for (const id of ids) this.#forget(id, slot);
    const serving = this.#words.load(word + SlotWord.serving);
    if (serving > 0) {
      // Sync: counts as none from here on, and still says that there were some: who dies before the channel
      // is stopped is buried himself, and this slot once more.
      this.#words.store(word + SlotWord.serving, -serving);
      channel.words.add(channel.layout.controlWord + ControlWord.liveServers, -serving);
    }
    // Who died as it left a channel that ends had still to stop it.
    const isOver = serving !== 0 || channel.state !== ChannelState.running;
    if (isOver && servingCount(this.#words) === 0) channel.stop();
    channel.wakeAll();
    this.#words.store(word + SlotWord.start, 0);
    this.#words.store(word + SlotWord.burier, 0);
    // Sync: last: who dies before this is buried itself, and this slot found dead once more.
    this.#words.store(word + SlotWord.pid, 0);
  }

  #isDead(slot: number): boolean {
    const word = slotWord(slot);
    const pid = this.#words.load(word + SlotWord.pid);
    if (pid === 0) return false;
    const start = this.#startOf(pid);
    const known = this.#words.load(word + SlotWord.start);
    return start === undefined || known !== 0 && start !== 0 && start !== known;
  }

  /** Whether it is for this process to bury a dead one: for one alone, until that is dead as well. */
  #tryBegin(slot: number, own: number): boolean {
    const word = slotWord(slot) + SlotWord.burier;
    const ownPid = this.#words.load(slotWord(own) + SlotWord.pid);
    const held = this.#words.load(word);
    if (held !== 0 && held !== ownPid && this.#isSharing(held)) return false;
    // Sync: one of several that see the death has it. Two at once would free a port that somebody has by then.
    return this.#words.compareExchange(word, held, ownPid) === held;
  }

  /** Whether a process that lives and shares the file has this number. */
  #isSharing(pid: number): boolean {
    for (let slot = 0; slot < PARTICIPANTS_MAX; slot++) {
      if (this.#words.load(slotWord(slot) + SlotWord.pid) === pid) return !this.#isDead(slot);
    }
    return false;
  }

  #takeOwners(slot: number): Set<number> {
    const ids = new Set<number>();
    for (let place = 0; place < OWNERS_MAX; place++) {
      const owner = ownerOf(this.#words, place);
      if (owner?.slot === slot) ids.add(owner.id);
    }
    return ids;
  }

  #forget(id: number, slot: number): void {
    const place = id % OWNERS_MAX;
    const owner = ownerOf(this.#words, place);
    if (owner?.id === id && owner.slot === slot) this.#words.store(OWNERS_WORD + place, 0);
  }
}

/** Who holds a port, on either side. */
function heldIds({ words, layout }: Channel): Set<number> {
  const ids = new Set<number>();
  for (let index = 0; index < layout.portCount; index++) {
    ids.add(lockOwner(words.load(layout.clientLockWord + index)));
    ids.add(lockOwner(words.load(layout.serverLockWord + index)));
  }
  // Any process can write anything there: what is no id is nobody's.
  const next = words.load(layout.controlWord + ControlWord.nextOwnerId);
  return new Set([...ids].filter((id) => id > 0 && id < next));
}
