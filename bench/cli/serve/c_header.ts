/**
 * Writes a C header of a channel's layout: `deno task c-header`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { cHeader } from "../../../core/process/header/c_header.ts";
import { DESIGN_AXES } from "../../../core/toggle/design/channel_design.ts";
import type { ChannelShape } from "../../../core/toggle/layout.ts";
import { WIRES } from "../../../core/toggle/wire/llvm_regions.ts";
import { exitStatusOf, refuseOthers, refuseTwice, write } from "../command_line.ts";

const OPTIONS = ["--ports", "--lanes", "--wire", "--design", "--help"];

const USAGE =
  `Usage: deno task c-header [--ports N] [--lanes L] [--wire NAME] [--design AXIS=VALUE]...

Writes a C header of a channel to the standard output: where everything is, and for the default design the
steps of a call by which programs in C and C++ take part as clients and servers.

  --ports N            16 when absent
  --lanes L            1 when absent
  --wire NAME          ${WIRES.join(", ")}; portlab when absent
  --design AXIS=VALUE  a choice that is not the default, of ${Object.keys(DESIGN_AXES).join(", ")}
  --help               show this text

It ends with 0, and with 2 when there is no such channel.
`;

if (import.meta.main) Deno.exit(await exitStatusOf(() => main(Deno.args)));

function main(args: readonly string[]): void {
  const shape = parseHeaderOptions(args);
  write(Deno.stdout, shape === undefined ? USAGE : cHeader(shape));
}

/**
 * Reads the command line; `undefined` when it asks for help. The layout checks the values.
 *
 * @throws {SyntaxError} when it is wrong
 */
export function parseHeaderOptions(args: readonly string[]): ChannelShape | undefined {
  refuseTwice(args, ["--design"]);
  const { help, design, ...given } = parseArgs([...args], {
    string: ["ports", "lanes", "wire", "design"],
    boolean: ["help"],
    collect: ["design"],
    unknown: refuseOthers(OPTIONS),
  });
  if (help) return undefined;
  const { ports = "16", lanes = "1", wire } = given as Readonly<Record<string, string | undefined>>;
  const choices = [design as string | string[] | undefined ?? []].flat().map((choice) => {
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
