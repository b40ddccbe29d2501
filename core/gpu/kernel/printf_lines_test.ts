import { assert, assertEquals } from "@std/assert";
import { serveHost } from "../../services/serve_host.ts";
import type { GpuDevice } from "../device/device.ts";
import { onDevice } from "../device/on_device_test.ts";
import { INCREMENT, type KernelRunOptions, runKernel } from "../epochs/kernel_run_test.ts";

/** Runs a kernel with lanes of 64 bytes; its lines, each as whole as it was written, and the report. */
async function linesOf(gpu: GpuDevice, options: KernelRunOptions) {
  let text = "";
  const decoder = new TextDecoder();
  const { report } = await runKernel(gpu, {
    ...options,
    register: (server) =>
      serveHost(server, {
        writeStdout: (bytes) => {
          text += decoder.decode(bytes);
          return bytes.length;
        },
      }),
  });
  assert(text === "" || text.endsWith("\n"), "the last line is whole");
  return { lines: text.split("\n").slice(0, -1), report };
}

/** The lines of each wave and lane, whose numbers a line begins with, in the order in which they came. */
function byLane(lines: readonly string[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const line of lines) (groups[line.split(":", 1)[0]!] ??= []).push(line);
  return groups;
}

/** What is to be printed, made without the kernel: `linesOfLane` says so of each lane. */
function expected(
  { waveCount, laneCount }: { readonly waveCount: number; readonly laneCount: number },
  linesOfLane: (wave: number, lane: number) => readonly string[],
): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (let wave = 0; wave < waveCount; wave++) {
    for (let lane = 0; lane < laneCount; lane++) {
      const texts = linesOfLane(wave, lane);
      if (texts.length === 0) continue;
      groups[`${wave} ${lane}`] = texts.map((text) => `${wave} ${lane}:${text}`);
    }
  }
  return groups;
}

/**
 * Dots in three formats whose first record takes 36, 40 and 44 bytes, and each further one 16: so lines
 * end 4 bytes before the ends of packets, at them, which are at 56, 120, 184 and 248, and behind them. A
 * line with as many dots as in the fourth is a stream of 184 bytes by itself.
 */
const DOTS = [".".repeat(11), ".".repeat(15), ".".repeat(19), ".".repeat(159)];

for (const laneCount of [1, 8, 32]) {
  onDevice(`lines end at the borders of packets, ${laneCount} lanes`, async (gpu) => {
    const printfs = DOTS.map((dots, at) =>
      `case ${at}u: { printf("%u %u:${dots}%u\\n", wave_index, lane_index, line); }`
    );
    const countOf = (wave: number) => wave % 4 === 3 ? 1 : 1 + Math.floor(wave / 4);
    const source = `fn kernel() {
      let count = select(1u + wave_index / 4u, 1u, wave_index % 4u == 3u);
      for (var line = 0u; line < count; line++) {
        switch wave_index % 4u { ${printfs.join("\n")} default: {} }
      }
    }`;
    const shape = { source, portCount: 7, laneCount, waveCount: 4 * 15, streamBytes: 512 };
    const { lines, report } = await linesOf(gpu, shape);
    const linesOfWave = (wave: number) =>
      Array.from({ length: countOf(wave) }, (_, line) => `${DOTS[wave % 4]}${line}`);
    assertEquals(byLane(lines), expected(shape, linesOfWave));
    const packetCounts = Array.from({ length: shape.waveCount }, (_, wave) => {
      const firstBytes = [36, 40, 44, 184][wave % 4]!;
      return Math.ceil((firstBytes + 16 * (countOf(wave) - 1) + 8) / 64);
    });
    assertEquals(report.packetCount, packetCounts.reduce((sum, count) => sum + count));
  });
}

/** Lines of mixed lengths, by the mask of each wave, which the kernel and the expectation get as a table. */
function maskedSource(masks: readonly number[]): string {
  return `const MASKS = array<u32, ${masks.length}>(${
    masks.map((mask) => `${mask >>> 0}u`).join()
  });
    fn kernel() {
      var masks = MASKS;
      if ((masks[wave_index] >> lane_index) & 1u) == 0u { return; }
      for (var line = 0u; line < 1u + (wave_index + 3u * lane_index) % 11u; line++) {
        if (line + lane_index) % 4u == 3u {
          printf("%u %u:a line that is longer than one packet, and has a number at its end: %08x\\n",
            wave_index, lane_index, line * 0x01010101u);
        } else { printf("%u %u:%u\\n", wave_index, lane_index, line); }
      }
    }`;
}

function maskedLines(masks: readonly number[], wave: number, lane: number): string[] {
  if ((masks[wave]! >>> lane & 1) === 0) return [];
  return Array.from({ length: 1 + (wave + 3 * lane) % 11 }, (_, line) => {
    if ((line + lane) % 4 !== 3) return `${line}`;
    const digits = `0${line.toString(16)}`.repeat(4);
    return `a line that is longer than one packet, and has a number at its end: ${digits}`;
  });
}

const SOME_OF_32 = [
  ...Array.from({ length: 32 }, (_, lane) => 1 << lane),
  ...[-1, -2, 0x7fff_ffff, 0x5555_5555, 0xaaaa_aaaa, 0x0000_ffff, 0xffff_0000, 0x8000_0001, 0],
  ...Array.from({ length: 15 }, (_, at) => Math.imul(at + 1, 0x9e37_79b1)),
];

for (
  const [laneCount, masks, name] of [
    [1, [1, 0, 1, 1, 0], "1 lane"],
    [8, Array.from({ length: 256 }, (_, mask) => mask), "all masks of 8 lanes"],
    [32, SOME_OF_32, "many masks of 32 lanes"],
  ] as const
) {
  for (const [portCount, packetLayout] of [[64, "word-major"], [3, "lane-major"]] as const) {
    onDevice(
      `lines of mixed lengths come whole and in order, ${name}, ${packetLayout}`,
      async (gpu) => {
        const waveCount = masks.length;
        const source = maskedSource(masks);
        const shape = { source, portCount, laneCount, waveCount, packetLayout };
        const { lines } = await linesOf(gpu, shape);
        const wanted = expected(shape, (wave, lane) => maskedLines(masks, wave, lane));
        assertEquals(byLane(lines), wanted);
        assertEquals(lines.length, Object.values(wanted).flat().length);
      },
    );
  }
}

onDevice(
  "streams that find no room for their packets go in a later epoch, and free the port",
  async (gpu) => {
    // The first lane has 1500 lines, of 16 bytes each: two streams, of which the first has 256 spares, of
    // 2048 for all waves. A port that one of them would keep were missing in the calls behind them.
    const source = `@service(${INCREMENT}) fn increment(x: u32) -> u32;
    fn kernel() {
      for (var line = 0u; line < select(1u, 1500u, lane_index == 0u); line++) {
        printf("%u %u:%u\\n", wave_index, lane_index, line);
      }
      for (var count = 0u; count < 40u; count++) { _ = increment(count); }
    }`;
    const shape = { source, portCount: 30, laneCount: 64, waveCount: 30, streamBytes: 16_384 };
    const { lines, report } = await linesOf(gpu, { ...shape, epochsMax: 150 });
    const wanted = expected(
      shape,
      (_, lane) => Array.from({ length: lane === 0 ? 1500 : 1 }, (_, line) => `${line}`),
    );
    assertEquals(byLane(lines), wanted);
    assert(report.starvedEpochCount > 0, "some found none");
  },
);

onDevice(
  "all packets of what lanes print are one epoch, and nothing waits for the answer",
  async (gpu) => {
    const source = `fn kernel() {
    for (var line = 0u; line < 10u; line++) { printf("%u %u:%u\\n", wave_index, lane_index, line); }
  }`;
    const shape = { source, portCount: 40, laneCount: 2, waveCount: 40 };
    const { lines, report } = await linesOf(gpu, shape);
    const wanted = expected(shape, () => Array.from({ length: 10 }, (_, line) => `${line}`));
    assertEquals(byLane(lines), wanted);
    assertEquals([report.epochCount, report.packetCount], [1, 40 * 3]);
  },
);
