import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { HeapAllocator } from "../../services/memory_api.ts";
import {
  disagreement,
  exitCode,
  type ProgramOptions,
  putArguments,
  runProgram,
  wavesOf,
} from "./run_program.ts";
import { CallError } from "../../call/call_error.ts";
import { MemoryFiles } from "../../services/files/testdata/memory_files.ts";
import type { GpuDevice } from "../device/device.ts";
import { onDevice } from "../device/on_device_test.ts";
import { onLiveDevice } from "../live/device/on_live_device_test.ts";
import { translate } from "../live/kernel/live_bed_test.ts";
import { LiveGpu } from "../live/kernel/live_gpu.ts";
import type { KernelGpu } from "../run/run_options.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";

/** A heap in an array. */
function heapOf(sizeBytes: number) {
  const bytes = new Uint8Array(sizeBytes);
  const allocator = new HeapAllocator({ sizeBytes });
  const words = new Uint32Array(bytes.buffer);
  return {
    sizeBytes,
    malloc: (lengthBytes: number) => allocator.malloc(lengthBytes),
    write: (address: number, written: Uint8Array) => bytes.set(written, address),
    /** The texts that addresses lead to, up to the 0. */
    texts(address: number): string[] {
      const first = address / 4;
      const addresses = words.subarray(first, words.indexOf(0, first));
      return [...addresses].map((start) =>
        new TextDecoder().decode(bytes.subarray(start, bytes.indexOf(0, start)))
      );
    },
  };
}

Deno.test("putArguments() puts texts, their addresses and a 0 into the heap", () => {
  const heap = heapOf(1024);
  const args = ["a.wgsl", "two words", "", "ünï"];
  const { argc, argv, envp } = putArguments(heap, { args, env: { HOME: "/root", EMPTY: "" } });
  assertEquals([argc, heap.texts(argv)], [4, args]);
  assertEquals(heap.texts(envp), ["HOME=/root", "EMPTY="]);
});

Deno.test("putArguments() has addresses even of nothing", () => {
  const heap = heapOf(64);
  const { argc, argv, envp } = putArguments(heap, { args: [], env: {} });
  assertEquals([argc, heap.texts(argv), heap.texts(envp)], [0, [], []]);
});

Deno.test("putArguments() refuses what does not fit, and what C cannot say", () => {
  const put = (sizeBytes: number, text: string) => () =>
    putArguments(heapOf(sizeBytes), { args: [text], env: {} });
  assertThrows(put(64, "x".repeat(64)), RangeError, "do not fit its heap of 64 bytes");
  assertThrows(put(64, "a\0b"), TypeError, String.raw`current value is "a\u0000b"`);
});

Deno.test("wavesOf() has a lane for each thread of the grid, up to 32 a wave", () => {
  const of = (threadCount: number, blockCount: number) => wavesOf({ threadCount, blockCount });
  assertEquals(of(1, 1), { total: 1, laneCount: 1, waveCount: 1 });
  assertEquals(of(7, 4), { total: 28, laneCount: 28, waveCount: 1 });
  assertEquals(of(11, 3), { total: 33, laneCount: 32, waveCount: 2 });
  assertEquals(of(32, 65_535), { total: 2_097_120, laneCount: 32, waveCount: 65_535 });
});

Deno.test("wavesOf() refuses what is no grid", () => {
  for (const [threadCount, blockCount] of [[0, 1], [1, 0], [1.5, 2], [1, 2_097_121], [NaN, 1]]) {
    const grid = { threadCount: threadCount!, blockCount: blockCount! };
    assertThrows(() => wavesOf(grid), RangeError, "at most 2097120 threads in all");
  }
});

/** Tests with a GPU of each way to run programs. */
function inEachWay(name: string, test: (gpu: GpuDevice | KernelGpu) => Promise<void>): void {
  onDevice(`${name}, by epochs`, test);
  onLiveDevice(`${name}, live`, (device) => test(new LiveGpu(device, translate)));
}

/** Runs a program with files in memory, and keeps what it prints. */
async function runIn(gpu: GpuDevice | KernelGpu, options: ProgramOptions) {
  const files = new MemoryFiles({ stepBytes: 4096 });
  const report = await runProgram(gpu, { files, ...options });
  return { ...report, results: [...report.results], text: files.text(1) };
}

onDevice("runProgram() runs begin in one thread, main in all, end in one", async (gpu) => {
  const source = `
    fn begin(argc: u32, argv: u32) { printf("begin %u %u %u\\n", global_index(), argc, strlen(heap_u32(argv + 4u))); }
    fn main() -> i32 {
      printf("%u of block %u, %u x %u\\n", thread_index(), block_index(), THREAD_COUNT, BLOCK_COUNT);
      return i32(global_index());
    }
    fn end() { printf("end %u\\n", global_index()); }`;
  const grid = { threadCount: 2, blockCount: 2 };
  const { text, results, exitStatus, kernelSeconds } = await runIn(gpu, {
    ...{ source, ...grid, args: ["name", "four"] },
  });
  const lines = text.split("\n");
  assertEquals([lines[0], lines[5]], ["begin 0 2 4", "end 0"]);
  const places = ["0 of block 0", "1 of block 0", "0 of block 1", "1 of block 1"];
  assertEquals(lines.slice(1, 5), places.map((place) => `${place}, 2 x 2`));
  assertEquals([results, exitStatus, kernelSeconds], [[0, 1, 2, 3], undefined, undefined]);
});

onDevice("runProgram() fills its last wave with threads of the grid only", async (gpu) => {
  const source = "fn main() -> i32 { return 7; }";
  const { results } = await runIn(gpu, { source, threadCount: 11, blockCount: 3 });
  assertEquals(results, Array.from({ length: 33 }, () => 7));
});

inEachWay(
  "exit() ends a program wherever its threads are, and what was printed is there",
  async (gpu) => {
    const source = `
    fn main() -> i32 {
      for (var i = 0u; ; i++) {
        printf("%u: %u\\n", global_index(), i);
        if i == 2u && global_index() == 1u { exit(5); }
        if i == 1000u { break; }
      }
      return 0;
    }
    fn end() { printf("end"); }`;
    const { text, exitStatus, packetCount } = await runIn(gpu, { source, threadCount: 3 });
    assertEquals(exitStatus, 5);
    const lines = text.trim().split("\n");
    assert(["0: 0", "1: 0", "2: 0"].every((line) => lines.includes(line)));
    assertEquals([lines.includes("1: 2"), lines.includes("1: 3")], [true, false]);
    assert(!text.includes("end") && packetCount < 20, "nothing goes on");
  },
);

onDevice("fgets() and fputs() of a program copy lines as in C", async (gpu) => {
  const lines = "a longer line\nshort\n\nno newline";
  const source = `
    fn main() -> i32 {
      let file = fopen("a", "w+");
      fputs(${JSON.stringify(lines)}, file);
      fseek(file, vec2u(), 0);
      let line = malloc(9u);
      while fgets(line, 9u, file) != 0u { fputs(line, stdout()); }
      return i32(heap_u8(line)) + 256 * i32(heap_u8(line + 7u));
    }`;
  const { text, results } = await runIn(gpu, { source });
  // The last piece is "ne", and behind its NUL there is what "no newli" has left.
  assertEquals([text, results], [lines, [0x6e + 256 * 0x69]]);
});

onDevice("runProgram() tells what it took", async (gpu) => {
  const source = `fn main() -> i32 { let a = global_index(); printf("a\\n"); return i32(a); }`;
  const run = await runIn(gpu, { source, threadCount: 4, timed: true });
  assertEquals([run.epochCount, run.packetCount], [1, 1]);
  assert(run.frameBytes >= 4 && run.channelBytes > 4 * 64);
  const isTimed = gpu.device.features.has("timestamp-query");
  assertEquals(run.kernelSeconds !== undefined && run.kernelSeconds > 0, isTimed);
});

inEachWay("a program has arguments, an environment, files and memory", async (gpu) => {
  const source = `
    fn main(argc: u32, argv: u32, envp: u32) -> i32 {
      let file = fopen(heap_u32(argv + 4u), "w");
      for (var at = 0u; at < argc; at++) {
        fputs(heap_u32(argv + 4u * at), file);
        fputs("\\n", file);
      }
      fputs(heap_u32(envp), file);
      fclose(file);
      if !is_null(fopen("absent.txt", "r")) { return 1; }
      perror("absent.txt");
      let value = getenv("NAME");
      puts(value);
      free(value);
      return atoi(heap_u32(argv + 8u));
    }`;
  const files = new MemoryFiles({ stepBytes: 4096 });
  const args = ["name", "a b.txt", " -7x"];
  const { results, heapUsedBytes } = await runProgram(gpu, {
    source,
    args,
    files,
    env: { NAME: "välue" },
    heapBytes: 1000,
  });
  assertEquals(files.text("a b.txt"), "name\na b.txt\n -7x\nNAME=välue");
  assertEquals([files.text(1), files.text(2)], [
    "välue\n",
    "absent.txt: no such file or directory\n",
  ]);
  assertEquals([...results], [-7]);
  assertEquals(heapUsedBytes, 4 * 16 + 2 * 16, "three arguments, one variable, and two lists");
});

inEachWay("threads of a program share its global variables, from begin to end", async (gpu) => {
  const source = `
    struct Totals { sum: atomic<u32>, most: atomic<u32> }
    var<storage, read_write> totals: Totals;
    var<storage, read_write> first: u32;
    fn begin() { first = 5u; }
    fn main() {
      atomicAdd(&totals.sum, global_index() + first);
      atomicMax(&totals.most, global_index());
    }
    fn end() { printf("%u %u", atomicLoad(&totals.sum), atomicLoad(&totals.most)); }`;
  const { text } = await runIn(gpu, { source, threadCount: 40 });
  assertEquals(text, "980 39");
});

onDevice("a program shows what is wrong with its globals where they stand", async (gpu) => {
  const line = "var<storage, read_write> a: u32; var<storage, read_write> a: f32;";
  const error = await assertRejects(
    () => runProgram(gpu, { source: `fn main() {}\n${line}` }),
    KernelCompileError,
    `redefinition of \`a\`\n2 | ${line}`,
  );
  assertEquals([error.line, error.column], [2, line.indexOf("a: f32") + 1]);
});

onDevice("strlen, strcmp and atoi are as in C", async (gpu) => {
  const source = String.raw`
    fn main() -> i32 {
      printf("%u %u|", strlen(""), strlen("a\tb"));
      printf("%d %d %d|", strcmp("a", "a"), strcmp("a", "b"), strcmp("ab", "a"));
      printf("%d %d %d %d", atoi("12"), atoi(" \n-34 5"), atoi("+6x"), atoi("x"));
      return 0;
    }`;
  const { text } = await runIn(gpu, { source });
  assertEquals(text, "0 3|0 -1 98|12 -34 6 0");
});

inEachWay("a program ends where a call of it fails", async (gpu) => {
  const source = `fn main() { loop { sleep(100.0); puts("goes on"); exit(0); } }`;
  const files = new MemoryFiles();
  await assertRejects(() => runProgram(gpu, { source, files }), CallError, "0 to 60 seconds");
  assertEquals(files.text(1), "");
});

Deno.test("exitCode() combines by OR and keeps eight bits", () => {
  assertEquals(exitCode([]), 0);
  assertEquals(exitCode([0, 0]), 0);
  assertEquals(exitCode([1, 2, 4]), 7);
  assertEquals(exitCode([0x101, 0x200]), 1);
  assertEquals(exitCode(Int32Array.of(-2)), 254);
});

Deno.test("disagreement() names the first thread that differs from thread 0", () => {
  assertEquals(disagreement([3]), undefined);
  assertEquals(disagreement([3, 3, 3]), undefined);
  assertEquals(disagreement(Int32Array.of(3, 3, -1, 5)), { threadIndex: 2, result: -1, first: 3 });
});
