import type { Packet } from "../../../memory/packet.ts";

/** A function of the host, twice: as the host has it, and as a body in WGSL. */
export interface TracedService {
  readonly opcode: number;
  readonly name: string;
  /** The words of the arguments, in WGSL. */
  readonly words: readonly string[];
  readonly body: string;
  readonly answer: (packet: Packet, lane: number) => void;
}

function word(packet: Packet, lane: number): number {
  return packet.getUint32(lane, 0);
}

/** What the corpus calls. */
export const SERVICES: readonly TracedService[] = [
  {
    opcode: 50_000,
    name: "square",
    words: ["x"],
    body: "return x * x;",
    answer: (packet, lane) =>
      packet.setUint32(lane, 0, Math.imul(word(packet, lane), word(packet, lane))),
  },
  { opcode: 50_001, name: "note", words: ["value"], body: "", answer: () => {} },
  {
    opcode: 50_002,
    name: "half_of",
    words: ["x"],
    body: "return x / 2u;",
    answer: (packet, lane) => packet.setUint32(lane, 0, word(packet, lane) >>> 1),
  },
  {
    opcode: 50_003,
    name: "is_odd",
    words: ["x"],
    body: "return x % 2u == 1u;",
    // Any word but 0 is true.
    answer: (packet, lane) => packet.setUint32(lane, 0, (word(packet, lane) & 1) * 77),
  },
  {
    opcode: 50_004,
    name: "halved",
    words: ["bitcast<u32>(x)"],
    body: "return x / 2.0;",
    answer: (packet, lane) => {
      const bits = new Uint32Array([word(packet, lane)]);
      new Float32Array(bits.buffer)[0]! /= 2;
      packet.setUint32(lane, 0, bits[0]!);
    },
  },
  {
    opcode: 50_005,
    name: "minus",
    words: ["bitcast<u32>(a)", "bitcast<u32>(b)"],
    body: "return a - b;",
    answer: (packet, lane) =>
      packet.setInt32(lane, 0, packet.getInt32(lane, 0) - packet.getInt32(lane, 1)),
  },
  {
    opcode: 50_006,
    name: "turned",
    words: ["bitcast<u32>(v.x)", "bitcast<u32>(v.y)", "bitcast<u32>(v.z)"],
    body: "return v.zxy;",
    answer: (packet, lane) => {
      const [x, y, z] = [0, 1, 2].map((word) => packet.getUint32(lane, word));
      [z!, x!, y!].forEach((value, at) => packet.setUint32(lane, at, value));
    },
  },
  {
    opcode: 50_007,
    name: "moved",
    words: ["inner.low", "bitcast<u32>(inner.at.x)", "bitcast<u32>(inner.at.y)"],
    body: "return Inner(inner.low + 1u, inner.at.yx);",
    answer: (packet, lane) => {
      const [x, y] = [1, 2].map((word) => packet.getUint32(lane, word));
      packet.setUint32(lane, 0, word(packet, lane) + 1);
      packet.setUint32(lane, 1, y!);
      packet.setUint32(lane, 2, x!);
    },
  },
  {
    opcode: 50_008,
    name: "marked",
    words: [
      "u32(marks.on)",
      "marks.count",
      "u32(marks.list[0])",
      "u32(marks.list[1])",
    ],
    body: "return Marks(marks.list[1], marks.count + 1u, array<bool, 2>(marks.on, !marks.on));",
    answer: (packet, lane) => {
      const [on, count, , second] = [0, 1, 2, 3].map((word) => packet.getUint32(lane, word));
      [second! * 9, count! + 1, on! * 7, 1 - on!]
        .forEach((value, at) => packet.setUint32(lane, at, value));
    },
  },
];

/** The same, by their numbers. */
export const OPCODES: ReadonlyMap<number, TracedService> = new Map(
  SERVICES.map((service) => [service.opcode, service]),
);
