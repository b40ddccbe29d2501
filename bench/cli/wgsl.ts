// Shows the WGSL that is generated from a file: from a kernel, or from a shader with printf.
import { usesHeap } from "../../core/gpu/heap/heap_texts.ts";
import { kernelSource } from "../../core/gpu/wgsl/kernel_source.ts";
import { declarationsOf } from "../../core/gpu/syntax/declarations.ts";
import { tokensOf } from "../../core/gpu/syntax/tokens.ts";
import { withPrintf } from "../../core/gpu/printf/with_printf.ts";
import { channelLayout } from "../../core/toggle/layout.ts";
import { systemText } from "../record/write_whole.ts";
import { USAGE_EXIT, write } from "./command_line.ts";

/** Of a kernel that needs a heap; only its end depends on it. */
const HEAP_BYTES = 1 << 20;

const USAGE = `Usage: deno task wgsl FILE [LANES]

Shows the WGSL that is compiled for a kernel, fn kernel() or steps, with LANES lanes a wave (32), or
for any other shader, whose printf is rewritten.
`;

/**
 * The text that a compiler gets.
 *
 * @param laneCount of the waves of a kernel
 * @throws {KernelCompileError} at what a kernel cannot do
 * @throws {TypeError} when the steps of a kernel are not as they have to be
 * @throws {PrintfError} when a `printf` cannot be
 */
export function generatedSource(text: string, laneCount: number): string {
  if (!isKernel(text)) return withPrintf(text).source;
  const layout = channelLayout({ portCount: 4, laneCount });
  return kernelSource(text, { layout, ...usesHeap(text) && { heapBytes: HEAP_BYTES } }).code;
}

/** A shader has an entry point of its own; what calls the host has `kernel`, or steps. */
function isKernel(text: string): boolean {
  const { functions } = declarationsOf(tokensOf(text));
  const isEntry = ({ name }: { readonly name: string }) => /^(compute|vertex|fragment)$/.test(name);
  return !functions.some(({ attributes }) => attributes.some(isEntry)) &&
    functions.some(({ name }) => /^(kernel$|step_)/.test(name.text));
}

function sourceIn(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    throw new Error(`Cannot read ${path} as the system says "${systemText(cause)}"`, { cause });
  }
}

/** Does what the command line says, and returns the exit status. */
function main([path, lanes = "32", ...others]: readonly string[]): number {
  if (path === undefined || path.startsWith("-") || !/^\d+$/.test(lanes) || others.length > 0) {
    write(Deno.stderr, USAGE);
    return USAGE_EXIT;
  }
  try {
    write(Deno.stdout, generatedSource(sourceIn(path), Number(lanes)));
    return 0;
  } catch (error) {
    write(Deno.stderr, `${(error as Error).message}\n`);
    return 1;
  }
}

if (import.meta.main) Deno.exitCode = main(Deno.args);
