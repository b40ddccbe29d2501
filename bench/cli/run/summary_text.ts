import type { ProgramReport } from "../../../core/gpu/program/run_program.ts";
import { durationText } from "../../record/duration_text.ts";

/** What a program took, in three lines. `seconds` is all of it, from its text to its end. */
export function summaryText(report: ProgramReport, seconds: number): string {
  const { kernelSeconds, epochCount, packetCount } = report;
  const { heapUsedBytes, heapBytes, frameBytes, channelBytes } = report;
  const kernel = kernelSeconds === undefined
    ? "not known, as the device has no clock"
    : `${durationText(kernelSeconds)} on the device`;
  return [
    `time    ${kernel}; ${durationText(seconds)} in all, compiled included`,
    `calls   ${packetCount} packets in ${epochCount} epochs`,
    `memory  heap ${heapUsedBytes} of ${heapBytes} bytes, frames ${frameBytes} bytes a thread, channel ${channelBytes} bytes`,
    "",
  ].join("\n");
}
