import type { SourceFault } from "../explorer/changed_core.ts";
import type { LinePlan } from "./line_model.ts";

/** A defect that is easily made, and a small plan in which it shows. */
export interface PlantedLineFault extends SourceFault, LinePlan {
  readonly name: string;
}

const WRITER = "connect/line/ring.ts RingWriter";
const READER = "connect/line/ring.ts RingReader";
const END = "connect/line/line_end.ts LineEnd";

/** A message that is longer than the ring. */
const LONG = { ringBytes: 32, chunkBytes: 32, client: [8], server: [] } as const;
/** A writer that has to wait for room twice, and looks once. Who looks before arming, too, is safe without. */
const NAPS = { ...LONG, client: [40], naps: true } as const;
/** Two messages for which there is room, each in one go. */
const SMALL = { ringBytes: 64, chunkBytes: 64, client: [-1, -1], server: [] } as const;

export const PLANTED_LINE_FAULTS: readonly PlantedLineFault[] = [
  {
    ...LONG,
    name: "bytes are shown to the reader before they are copied",
    place: `${WRITER}.put`,
    from: "const { ringBytes } = this.place;",
    to:
      "const { ringBytes } = this.place; this.words.store(this.place.writtenWord, this.count + roundUp(taken) | 0);",
  },
  {
    ...LONG,
    name: "room is given back before the bytes are read",
    place: `${READER}.take`,
    from: "const { ringBytes } = this.place;",
    to:
      "const { ringBytes } = this.place; this.words.store(this.place.readWord, this.count + roundUp(taken) | 0);",
  },
  {
    ...LONG,
    name: "the writer takes more room than there is",
    place: `${WRITER}.#lookForRoom`,
    from: "return this.checked(this.place.ringBytes - (this.count - read >>> 0));",
    to: "return this.place.ringBytes - (this.count - read >>> 0) + 8;",
  },
  {
    ...NAPS,
    name: "the writer looks for room before it says that it wants some",
    place: `${WRITER}.wantRoom`,
    from:
      "this.words.store(this.place.wantsRoomWord, 1); return (this.#room = this.#lookForRoom()) > 0;",
    to:
      "const has = (this.#room = this.#lookForRoom()) > 0; this.words.store(this.place.wantsRoomWord, 1); return has;",
  },
  {
    ...NAPS,
    name: "the writer does not look for room once it has said that it wants some",
    place: `${WRITER}.wantRoom`,
    from: "return (this.#room = this.#lookForRoom()) > 0;",
    to: "return false;",
  },
  {
    ...LONG,
    name: "the writer sleeps and does not say that it wants room",
    place: `${WRITER}.wantRoom`,
    from: "this.words.store(this.place.wantsRoomWord, 1);",
  },
  {
    ...LONG,
    name: "the reader asks whether room is wanted before it gives some back",
    place: `${READER}.release`,
    from:
      "this.words.store(this.place.readWord, this.count); if (this.words.load(this.place.wantsRoomWord) === 0) return false;",
    to:
      "const wants = this.words.load(this.place.wantsRoomWord); this.words.store(this.place.readWord, this.count); if (wants === 0) return false;",
  },
  {
    ...LONG,
    name: "the reader gives no room back before the message is whole",
    place: `${END}.#take`,
    from: "if (hasTaken && this.#reader.release()) this.#otherBell.ring();",
  },
  {
    ...LONG,
    name: "the reader does not ring for room that was wanted",
    place: `${END}.#take`,
    from: "if (hasTaken && this.#reader.release()) this.#otherBell.ring();",
    to: "if (hasTaken) this.#reader.release();",
  },
  {
    ...LONG,
    client: [-1, -1],
    name: "the reader does not ring for room behind a whole message",
    place: `${END}.#finish`,
    from: "if (this.#reader.release()) this.#otherBell.ring();",
    to: "this.#reader.release();",
  },
  {
    ...LONG,
    name: "a piece goes on where it is, and not at the ring's start, behind the ring's end",
    place: `${WRITER}.put`,
    from: "taken - first }, this.bytes, 0);",
    to: "taken - first }, this.bytes, at);",
    // Its last piece is 16 bytes, and begins 8 before the end.
    client: [16],
    firstCount: -16,
  },
  {
    ...LONG,
    firstCount: 2 ** 31 - 16,
    name: "the room is that of counts which do not wrap",
    place: `${WRITER}.#lookForRoom`,
    from: "this.count - read >>> 0",
    to: "this.count - read",
  },
  {
    ...SMALL,
    name: "the bell is rung before what it is rung for is shown",
    place: `${END}.#publish`,
    from: "this.#writer.publish(); this.#otherBell.ring();",
    to: "this.#otherBell.ring(); this.#writer.publish();",
  },
  {
    ...SMALL,
    client: [-1, -1, -1],
    name: "a small message is written without a look for room",
    place: `${END}.post`,
    from: "this.#writer.hasRoom(roomBytes)",
    to: "(this.#writer.hasRoom(roomBytes) || true)",
  },
  {
    ...SMALL,
    ender: "third",
    name: "an end rings the bells before it is there",
    place: "connect/line/line.ts Line.end",
    from: 'this.words.store(LAYOUT.endWord, 1); this.bellOf("client").wakeAll();',
    to: 'this.bellOf("client").wakeAll(); this.words.store(LAYOUT.endWord, 1);',
  },
  {
    ...SMALL,
    ender: "client",
    name: "an end wakes one side",
    place: "connect/line/line.ts Line.end",
    from: 'this.bellOf("server").wakeAll();',
  },
];
