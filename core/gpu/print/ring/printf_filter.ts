import { checkChoice, checkOptionNames } from "../../../text/nearest.ts";

/** What a ring takes of what a shader prints. What is absent is not asked for. */
export interface PrintfFilter {
  /** Only the first calls of each `printf`, from 1. */
  readonly first?: number;
  /**
   * When `first` begins to count anew: with each `frame`, which is what is printed between two readings,
   * or never, for the first of a whole `run`. `frame` when absent.
   */
  readonly per?: "frame" | "run";
  /** Only this pixel of fragment stages. */
  readonly pixel?: readonly [x: number, y: number];
  /** Only this workgroup of compute stages, counted through x, then y, then z. */
  readonly workgroup?: number;
  /** Only this lane of workgroups, its `local_invocation_index`. */
  readonly lane?: number;
}

const KEYS = ["first", "per", "pixel", "workgroup", "lane"];

/** The filter's words in the ring's head: `first`, `lane`, `workgroup`, `pixel`, as `printf.wgsl` has them. */
export const FILTER_WORDS = 4;

/**
 * Lays out a filter for the device, where 0 asks for everything.
 *
 * @throws {TypeError} when it asks for something else
 * @throws {RangeError} when a number is none of a lane, workgroup or pixel
 */
export function filterWords(filter: PrintfFilter): Uint32Array<ArrayBuffer> {
  checkOptionNames("filter", filter, KEYS);
  const { first, per, pixel, workgroup, lane } = filter;
  checkChoice("filter", { per }, ["frame", "run"]);
  if (pixel !== undefined && !(Array.isArray(pixel) && pixel.length === 2)) {
    throw new TypeError(`Cannot filter as pixel must be [x, y]: current value is ${pixel}`);
  }
  const [x, y] = pixel ?? [];
  checkNumber("first", first, [1, 0xffffffff]);
  checkNumber("lane", lane, [0, 0x7ff]);
  checkNumber("workgroup", workgroup, [0, 0xfffffffe]);
  checkNumber("pixel x", x, [0, 0xffff]);
  checkNumber("pixel y", y, [0, 0xfffe]);
  const place = x === undefined || y === undefined ? 0 : y * 0x10000 + x + 1;
  return Uint32Array.of(first ?? 0, oneMore(lane), oneMore(workgroup), place);
}

function oneMore(index: number | undefined): number {
  return index === undefined ? 0 : index + 1;
}

function checkNumber(
  name: string,
  value: number | undefined,
  [min, max]: readonly [number, number],
): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw new RangeError(
    `Cannot filter as ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
  );
}
