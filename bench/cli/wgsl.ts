// Shows the WGSL that is generated from a file: from a kernel, or from a shader with printf.
import { usesHeap } from "../../core/gpu/heap/heap_texts.ts";
import { runText } from "../../core/gpu/run/run_text.ts";
import { kernelSource } from "../../core/gpu/wgsl/kernel_source.ts";
import { Module, tryModule } from "../../core/gpu/text/module.ts";
import { withPrintf } from "../../core/gpu/print/with_printf.ts";
import { channelLayout } from "../../core/toggle/layout.ts";
import { FAILED_EXIT, write } from "./command_line.ts";
import { type Command, runCommand } from "./options/command_options.ts";

/** Of a kernel that needs a heap; only its end depends on it. */
const HEAP_BYTES = 1 << 20;

const COMMAND: Command = {
  usage: ["deno task wgsl FILE [LANES]"],
  words: [1, 2],
  does:
    `Shows the WGSL that is compiled for a kernel, fn kernel() or steps, with LANES lanes a wave (32), or
for any other shader, whose printf is rewritten.`,
  options: {},
  ends:
    `It ends with 0, with 1 when the source is wrong, and with 2 when the command line or the file is.`,
};

/**
 * The text that a compiler gets.
 *
 * @param laneCount of the waves of a kernel
 * @throws {KernelCompileError} at what a kernel cannot do
 * @throws {TypeError} when the steps of a kernel are not as they have to be
 * @throws {PrintfError} when a `printf` cannot be
 */
export function generatedSource(text: string, laneCount: number): string {
  const module = tryModule(text);
  if (module instanceof Module && !isKernel(module)) return withPrintf(text).source;
  const layout = channelLayout({ portCount: 4, laneCount });
  const { text: kernel } = runText(text, { apis: [], laneWords: layout.laneBytes / 4 });
  const heap = usesHeap(kernel.module) ? { heapBytes: HEAP_BYTES } : {};
  return kernelSource(kernel, { layout, ...heap }).code;
}

/** A shader has an entry point of its own; what calls the host has `kernel`, or steps. */
function isKernel({ functions }: Module): boolean {
  const isEntry = ({ name }: { readonly name: string }) => /^(compute|vertex|fragment)$/.test(name);
  return !functions.some(({ attributes }) => attributes.some(isEntry)) &&
    functions.some(({ name }) => /^(kernel$|step_)/.test(name));
}

function main(path: string, lanes = "32"): number | void {
  if (!/^[1-9]\d*$/.test(lanes)) {
    throw new SyntaxError(
      `Cannot use LANES as it must be a whole number from 1: current value is "${lanes}"`,
    );
  }
  const source = Deno.readTextFileSync(path);
  try {
    write(Deno.stdout, generatedSource(source, Number(lanes)));
  } catch (error) {
    if (error instanceof RangeError) throw error; // of the lanes
    write(Deno.stderr, `${(error as Error).message}\n`);
    return FAILED_EXIT;
  }
}

if (import.meta.main) {
  Deno.exitCode = await runCommand(COMMAND, ({ rest: [path, lanes] }) => main(path!, lanes));
}
