import { write } from "../command_line.ts";
import { readOptions, usageText } from "../options/command_options.ts";
import { integerOf } from "../options/option_values.ts";
import type { DeviceChoice } from "../../../core/gpu/live/mod.ts";
import type { ProgramLibrary } from "../../../core/gpu/program/program_server.ts";
import {
  hdf5Api,
  libcApi,
  libmApi,
  mpiApi,
  serveHdf5,
  serveLibc,
  serveLibm,
  serveMpi,
} from "../../../core/services/emissary/mod.ts";
import { fortranApi } from "../../../core/services/emissary/fortran/fortran_api.ts";
import { serveFortran } from "../../../core/services/emissary/fortran/serve_fortran.ts";

const OPTIONS = {
  threads: { value: "N", help: "threads of a block (1)" },
  blocks: { value: "M", help: "blocks (1)" },
  heap: {
    value: "BYTES",
    help: "memory for malloc, arguments and texts; as 65536, 64K or 16M (1M)",
  },
  root: { value: "DIR", help: "files are those in DIR only" },
  uniform: { help: "fail where threads return different results" },
  live: { help: "serve the program while it runs, on a device of Vulkan's" },
  device: { value: "WHICH", help: "of those devices, one by its number or a part of its name" },
  time: { help: "tell what it took: time, calls, memory" },
} as const;

/** The text of `deno task run --help`. */
export const RUN_USAGE = usageText({
  usage: ["deno task run [options] FILE.wgsl [-- ARGUMENT...]"],
  does:
    `Runs a program in WGSL: fn main(argc: u32, argv: u32) -> i32 in every thread of the grid, fn begin()
before it and fn end() behind it in one.`,
  options: OPTIONS,
  ends: `It ends with what main returned, all threads combined by OR, or with what exit() was given.
docs/loader.md tells more.`,
});

export interface RunCommand {
  readonly path: string;
  /** The path, and what stands behind `--`. */
  readonly args: readonly string[];
  readonly threadCount: number;
  readonly blockCount: number;
  readonly heapBytes: number;
  readonly root?: string;
  readonly isUniform: boolean;
  readonly isTimed: boolean;
  /** The device to run live on; by epochs when absent. */
  readonly live?: DeviceChoice;
}

/**
 * Reads the command line; returns nothing when it asks for help.
 *
 * @throws {SyntaxError} when it cannot be followed
 */
export function parseRunOptions(args: readonly string[]): RunCommand | undefined {
  const { given, rest, behind, isHelp } = readOptions(args, OPTIONS);
  if (isHelp) return undefined;
  const { threads = "1", blocks = "1", heap = "1M", root, device } = given;
  const [path, ...others] = rest;
  if (path === undefined) throw new SyntaxError(`Cannot run as no file is named\n\n${RUN_USAGE}`);
  if (others.length > 0) {
    throw new SyntaxError(
      `Cannot run ${path} with ${others.join(" ")}: what is for the program stands behind --`,
    );
  }
  if (device !== undefined && !given.live) {
    throw new SyntaxError("Cannot use --device without --live: WebGPU chooses its adapter itself");
  }
  return {
    path,
    args: [path, ...behind],
    threadCount: integerOf("threads", threads, { min: 1 }),
    blockCount: integerOf("blocks", blocks, { min: 1 }),
    heapBytes: sizeOf("heap", heap),
    ...(root !== undefined && { root }),
    isUniform: given.uniform,
    isTimed: given.time,
    ...(given.live && { live: choiceOf(device) }),
  };
}

/** The device of a number or a part of its name. */
function choiceOf(device = ""): DeviceChoice {
  return /^\d+$/.test(device) ? { index: Number(device) } : { name: device };
}

const UNIT_BYTES: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** The bytes in `65536`, `64K` or `16M`. */
function sizeOf(name: string, text: string): number {
  const [, count, unit] = /^(\d+)([KMG]?)$/i.exec(text) ?? [];
  if (count !== undefined) return Number(count) * UNIT_BYTES[unit!.toUpperCase()]!;
  throw new SyntaxError(
    `Cannot use --${name} as it must be a size such as 65536, 64K or 16M: current value is "${text}"`,
  );
}

/**
 * What programs may call beside files and memory; a library is opened for a program that calls it.
 *
 * @param options `hasRoot`: whether its files are those of a folder: then no library opens files by itself
 */
export function programLibraries(
  { hasRoot }: { readonly hasRoot: boolean },
): readonly ProgramLibrary[] {
  const own: ProgramLibrary[] = [
    { api: libcApi, serve: serveLibc },
    { api: libmApi, serve: serveLibm },
    { api: mpiApi, serve: (apis) => serveMpi(apis) },
  ];
  if (!hasRoot) own.push({ api: hdf5Api, serve: (apis) => serveHdf5(apis) });
  return [...own, {
    api: fortranApi,
    serve: (apis, exit) =>
      serveFortran(apis, {
        ...(!hasRoot && { mapFile: (name: string) => name }),
        afterStop: "ignore", // other threads may be in their statements still
        onStop({ text, exitCode, isQuiet }) {
          if (!isQuiet) write(Deno.stderr, `${text}\n`);
          exit(exitCode);
        },
      }),
  }];
}
