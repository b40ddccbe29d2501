import { ErrnoError } from "../../../core/signature/mod.ts";
import { KernelCompileError } from "../../../core/gpu/wgsl/kernel_compile.ts";
import { PrintfError } from "../../../core/gpu/print/printf_error.ts";
import { USAGE_EXIT } from "../command_line.ts";
import type { ProgramReport } from "../../../core/gpu/program/run_program.ts";
import { durationText } from "../../record/record.ts";

/** The exit status of the loader, where a program has none: as in C's `sysexits.h`, but for the usage. */
export const RunExit = {
  /** The arguments, the file or the grid are wrong. */
  usage: USAGE_EXIT,
  compile: 65,
  /** There is no GPU adapter. */
  adapter: 69,
  /** The program, or the device, failed while it ran. */
  run: 70,
} as const;
/** A number of {@linkcode RunExit}. */
export type RunExit = typeof RunExit[keyof typeof RunExit];

export interface RunFailure {
  readonly text: string;
  readonly exitStatus: RunExit;
}

/** What is told of an error, and with what status the loader ends then. */
export function runFailure(
  error: Error,
  program: { readonly path: string; readonly source: string },
): RunFailure {
  const { message } = error;
  if (error instanceof KernelCompileError || error instanceof PrintfError) {
    return { text: placeText(error, program), exitStatus: RunExit.compile };
  }
  if (error instanceof TypeError) {
    return { text: `${program.path}: ${message}`, exitStatus: RunExit.compile };
  }
  // Of a host, an `ErrnoError` is that of --root: those of the program's calls are its own.
  if ([SyntaxError, RangeError, ErrnoError].some((type) => error instanceof type)) {
    return { text: message, exitStatus: RunExit.usage };
  }
  if (error.name === "NotSupportedError") return { text: message, exitStatus: RunExit.adapter };
  // The author of a program has no opcodes.
  const told = message.replace(
    /^Cannot finish the call of (?!opcode \d)(\w+)(?: \(opcode \d+\))?/,
    "Cannot finish $1()",
  );
  return { text: `${program.path}: ${told}`, exitStatus: RunExit.run };
}

/** `FILE:LINE:COLUMN: reason`, and the line with a mark, as compilers write it. */
function placeText(
  { line, column, message, reason }: KernelCompileError | PrintfError,
  { path, source }: { readonly path: string; readonly source: string },
): string {
  const shown = source.split("\n")[line - 1];
  if (shown === undefined) return `${path}: ${message}`;
  const mark = shown.slice(0, column - 1).replaceAll(/[^\t]/g, " ");
  return [`${path}:${line}:${column}: ${reason}`, shown, `${mark}^`].join("\n");
}

/** What a program took, in three lines. `seconds` is all of it, from its text to its end. */
export function summaryText(report: ProgramReport, seconds: number): string {
  const { kernelSeconds, epochCount, packetCount } = report;
  const { heapUsedBytes, heapBytes, frameBytes, channelBytes } = report;
  const all = `${durationText(seconds)} in all, compiled included`;
  const isLive = epochCount === undefined;
  const clock = isLive
    ? "not told apart, as the kernel waits for the host while it runs"
    : "not known, as the device has no clock";
  const kernel = kernelSeconds === undefined
    ? clock
    : `${durationText(kernelSeconds)} on the device`;
  return [
    `time    ${kernel}; ${all}`,
    `calls   ${packetCount} packets ${isLive ? "while it ran" : `in ${epochCount} epochs`}`,
    `memory  heap ${heapUsedBytes} of ${heapBytes} bytes, frames ${frameBytes} bytes a thread, channel ${channelBytes} bytes`,
    "",
  ].join("\n");
}
