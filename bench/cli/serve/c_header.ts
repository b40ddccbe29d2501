/**
 * Writes a C header of a channel's layout: `deno task c-header`.
 *
 * @module
 */
import { resolve, toFileUrl } from "@std/path";
import { cHeader } from "../../../core/process/header/c_header.ts";
import { cppStubs } from "../../../core/process/header/cpp_stubs.ts";
import type { HostApi } from "../../../core/signature/mod.ts";
import { DESIGN_AXES } from "../../../core/toggle/design/channel_design.ts";
import type { ChannelShape } from "../../../core/toggle/layout.ts";
import { WIRES } from "../../../core/toggle/wire/llvm_regions.ts";
import { write } from "../command_line.ts";
import { type ReadOptions, runCommand } from "../options/command_options.ts";

/** How it is called. */
export const COMMAND = {
  usage: [
    "deno task c-header [--ports N] [--lanes L] [--wire NAME] [--design AXIS=VALUE]...",
    "deno task c-header --api MODULE",
  ],
  does:
    `Writes a C header of a channel to the standard output: where everything is, and for the default design the
steps of a call by which programs in C and C++ take part as clients and servers.`,
  options: {
    ports: { value: "N", help: "16 when absent" },
    lanes: { value: "L", help: "1 when absent" },
    wire: { value: "NAME", help: `${WIRES.join(", ")}; portlab when absent` },
    design: {
      value: "AXIS=VALUE",
      isList: true,
      help: `a choice that is not the default, of ${Object.keys(DESIGN_AXES).join(", ")}`,
    },
    api: {
      value: "MODULE",
      help:
        `a path or a URL: a header of C++ in its place, by which programs with LLVM's shared/rpc.h call the
functions that the module declares by hostApi()`,
    },
  },
  ends: `It ends with 0, and with 2 when there is no such channel.`,
} as const;

if (import.meta.main) Deno.exit(await runCommand(COMMAND, (read) => writeHeader(optionsOf(read))));

async function writeHeader(options: ReturnType<typeof optionsOf>): Promise<void> {
  if ("api" in options) return write(Deno.stdout, cppStubs(...await apisOf(options.api)));
  write(Deno.stdout, cHeader(options));
  write(Deno.stderr, "Next: include it, and deno task serve --wire portlab serves its file\n");
}

/** What a module declares. */
async function apisOf(name: string): Promise<HostApi[]> {
  const url = URL.canParse(name) ? name : toFileUrl(resolve(name)).href;
  const found = Object.values(await import(url) as object).filter((value): value is HostApi =>
    typeof Object(value).name === "string" && Object.hasOwn(Object(value), "functions")
  );
  if (found.length > 0) return found;
  throw new TypeError(`Cannot write a header of ${url} as it exports nothing that hostApi() made`);
}

/**
 * What is to be written. The layout checks the values.
 *
 * @throws {SyntaxError} when the command line is wrong
 */
export function optionsOf(
  { given }: ReadOptions<typeof COMMAND.options>,
): ChannelShape | { readonly api: string } {
  if (given.api !== undefined) return { api: given.api };
  const { ports = "16", lanes = "1", wire, design } = given;
  const choices = design.map((choice) => {
    const [axis, value] = choice.split("=");
    if (value !== undefined && axis! in DESIGN_AXES) return [axis, value];
    throw new SyntaxError(
      `Cannot read the command line as --design must be AXIS=VALUE with one of ${
        Object.keys(DESIGN_AXES).join(", ")
      }: current value is ${choice}`,
    );
  });
  return {
    portCount: Number(ports),
    laneCount: Number(lanes),
    ...(wire === undefined ? {} : { wire }),
    ...Object.fromEntries(choices),
  };
}
