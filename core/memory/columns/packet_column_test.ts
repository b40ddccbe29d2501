import { assertEquals } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { PacketViews } from "../packet_views.ts";
import type { PacketColumn } from "./packet_column.ts";

const VALUES = [0, 1, -1, 2 ** 31, 2 ** 32 - 1, 0x12345678, 2 ** 32 + 5];

/** A column of each lane count, where WebAssembly knows the memory and where it does not. */
function eachColumn(visit: (column: PacketColumn, packet: Uint32Array) => void): void {
  for (let laneCount = 1; laneCount <= 64; laneCount++) {
    const shape = { portCount: 2, laneCount, packetLayout: "word-major" } as const;
    const { layout, words, wasmMemory } = Channel.create(shape);
    for (const memory of [wasmMemory, undefined]) {
      const views = new PacketViews(words.plain, layout, memory);
      visit(views.column(1, 3 * laneCount), views.uint32(1));
    }
  }
}

/** The packet as it has to be: what is not in the column stays. */
function expected(packet: Uint32Array, laneCount: number, at: (lane: number) => number): number[] {
  return [...packet].map((word, index) => {
    const lane = index - 3 * laneCount;
    return lane >= 0 && lane < laneCount ? at(lane) >>> 0 : word;
  });
}

Deno.test("PacketColumn.fill() and add() change every lane, and nothing beside them", () => {
  eachColumn((column, packet) => {
    for (const value of VALUES) {
      packet.forEach((_, index) => packet[index] = index * 0x9e3779b9);
      const { length } = column;
      const before = [...column];
      const added = expected(packet, length, (lane) => before[lane]! + value);
      assertEquals(column.add(value), column);
      assertEquals([...packet], added);
      const filled = expected(packet, length, () => value);
      assertEquals(column.fill(value), column);
      assertEquals([...packet], filled);
    }
  });
});

Deno.test("PacketColumn takes any value for the same word, whether WebAssembly knows the memory or not", () => {
  const ODD = [
    -1.5,
    2.9,
    2 ** 53,
    -(2 ** 60) - 4096,
    1e300,
    NaN,
    Infinity,
    "5",
    "x",
    undefined,
    null,
    [3],
  ];
  eachColumn((column) => {
    for (const value of ODD as number[]) {
      const word = new Uint32Array([value])[0]!;
      assertEquals([...column.fill(value)], Array(column.length).fill(word));
      assertEquals([...column.add(value)], Array(column.length).fill(word * 2 >>> 0));
      column.fill(word);
      assertEquals(column.equals(value), true, `${value}`);
    }
  });
});

Deno.test("PacketColumn.equals() looks at every lane", () => {
  eachColumn((column) => {
    for (const value of VALUES) {
      column.fill(value);
      assertEquals(column.equals(value), true);
      for (let lane = 0; lane < column.length; lane++) {
        column[lane]! ^= 1 << (lane & 31);
        assertEquals(column.equals(value), false, `lane ${lane} of ${column.length}`);
        column[lane] = value;
      }
    }
  });
});

Deno.test("PacketColumn is an array like others: parts are filled, and copies are its own", () => {
  eachColumn((column) => {
    column.fill(7).fill(9, 1);
    assertEquals([...column], [7, ...Array(column.length - 1).fill(9)]);
    assertEquals(column.slice().constructor, Uint32Array);
    assertEquals([...column.map((word) => word + 1)], [8, ...Array(column.length - 1).fill(10)]);
    column.set(Array.from(column, (_, lane) => lane));
    assertEquals([...column], [...column.keys()]);
  });
});
