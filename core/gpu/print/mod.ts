/**
 * `printf` in every WebGPU shader: `instrument(device)` follows a device, `withPrintf(wgsl)` rewrites one
 * text. `docs/printf.md` is the guide.
 *
 * @module
 */
// Every shader of a device.
export { instrument, type Instrumented } from "./instrument/instrument.ts";
export type { InstrumentOptions } from "./instrument/instrument_options.ts";
export type { PrintedLine } from "./instrument/printed_lines.ts";
// One shader.
export { type PrintfModule, withPrintf } from "./with_printf.ts";
export type { PrintfRing, RingOptions, RingPass, RingPipeline } from "./ring/printf_ring.ts";
export type { BindingPlace } from "./ring_place.ts";
// What is printed, and what goes wrong.
export type { PrintfFilter } from "./ring/printf_filter.ts";
export type {
  PrintedCall,
  PrintedOptions,
  PrintedTextOptions,
  PrintfBytes,
  PrintfCounts,
  PrintfDispatch,
  PrintfOrder,
  PrintfPlace,
  PrintfReport,
} from "./ring/ring_records.ts";
export { PrintfError } from "./printf_error.ts";
