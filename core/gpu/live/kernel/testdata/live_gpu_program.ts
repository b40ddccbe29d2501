// A program whose kernel runs while something is done to it, as the command line says.
import { openLiveGpu } from "../live_gpu.ts";
import { translate } from "../live_bed_test.ts";

const [mode] = Deno.args;
const collect = (globalThis as unknown as { gc(): void }).gc;

/** What nobody holds is collected over and over, in the middle of calls and between them. */
async function collectMeanwhile(): Promise<string> {
  let text = "";
  const gpu = await openLiveGpu({ translate });
  await gpu.run(
    `@service fn ask(x: u32) -> u32;
    fn kernel() {
      var sum = 0u;
      for (var time = 0u; time < 100u; time++) { sum += ask(time); }
      sums[lane_index] = sum;
      heap_set_u32(16u, sum);
      printf("%u ", heap_u32(16u));
    }
    var<storage, read_write> sums: array<u32>;`,
    {
      functions: {
        async ask(x: number) {
          if (x % 20 === 0) collect();
          if (x % 20 === 10) await new Promise((done) => setTimeout(done, 1)).then(collect);
          return x;
        },
      },
      buffers: { sums: new Uint32Array(2) },
      heapBytes: 4096,
      laneCount: 2,
      waveCount: 2,
      print: (part) => text += part,
    },
  ).then(({ buffers }) => text += buffers.sums.join());
  return text;
}

/** A loop without a call cannot be ended: the run says so, and so does what would free its memory. */
async function tryToEnd(): Promise<string> {
  const gpu = await openLiveGpu({ translate });
  const source = `var<storage, read_write> x: array<u32>;
    fn kernel() { loop { x[0] += 1u; if x[1] == 1u { break; } } }`;
  const buffers = { x: new Uint32Array(2) };
  const signal = AbortSignal.timeout(100);
  return await gpu.run(source, { buffers, signal, laneCount: 1 }).then(
    () => "it ended",
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

console.log(await (mode === "collect" ? collectMeanwhile() : tryToEnd()));
