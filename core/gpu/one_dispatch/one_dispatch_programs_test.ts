import { assert } from "@std/assert";
import { gpu } from "../device/on_device_test.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { type ProgramRunner, testPrograms } from "../run/testdata/check_program.ts";
import type { ProgramOptions } from "../run/testdata/program.ts";
import { PROGRAMS } from "../run/testdata/programs.ts";
import { OneDispatch } from "./one_dispatch.ts";

/** The text with what `Gpu.run` lets its author leave out; steps without what they declare for the host. */
function complete(written: string): string {
  const source = /fn kernel\(/.test(written)
    ? written
    : written.replaceAll(/@service[^;]*;/g, (text) => text.replaceAll(/[^\n]/g, " "));
  let [opcode, binding] = [40_000, 0];
  return source.replaceAll("@service fn", () => `@service(${opcode++}) fn`)
    .replaceAll(
      /^var<storage|(?<= )var<storage/gm,
      (text) => `@group(1) @binding(${binding++}) ${text}`,
    );
}

async function run(source: string, options: ProgramOptions, server: string) {
  const { waveCount: clientCount = 1, laneCount = 32, portCount = clientCount, laneBytes } =
    options;
  const arrays = Object.entries(options.buffers ?? {});
  const buffers = arrays.map(([, array]) => ({
    buffer: createOwnBuffer(gpu!, array as Uint32Array),
  }));
  using stack = new DisposableStack();
  for (const { buffer } of buffers) stack.defer(() => buffer.destroy());
  const shape = { portCount, laneCount, clientCount, ...laneBytes && { laneBytes } };
  const text = { source: complete(source), server };
  const program = await OneDispatch.create(gpu!, { ...shape, ...text, buffers });
  stack.defer(() => program.destroy());
  const { madeProgress, detail } = await program.runAsync(0);
  // No progress is a result; but two workgroups on SwiftShader are known to run side by side.
  assert(madeProgress || !gpu!.adapterName.startsWith("SwiftShader"), detail);
  const contents = await Promise.all(buffers.map(async ({ buffer }, at) => {
    const bytes = await readOwnBuffer(gpu!, buffer);
    return [arrays[at]![0], new (arrays[at]![1].constructor as Uint32ArrayConstructor)(bytes)];
  }));
  return { buffers: madeProgress ? Object.fromEntries(contents) : {} };
}

const runner = gpu && { run } as ProgramRunner;
const programs = PROGRAMS.filter(({ server }) => server !== undefined);
testPrograms(programs, "one dispatch", {
  runner,
  obstacle: "no GPU adapter, see deno task doctor",
});
