import { resolve, toFileUrl } from "@std/path";
import { type WireName, WIRES } from "../../../core/toggle/wire/llvm_regions.ts";
import { LANE_COUNT_MAX } from "../../../core/memory/lane_mask.ts";
import { PORT_COUNT_MAX } from "../../../core/toggle/layout.ts";
import type { ReadOptions } from "../options/command_options.ts";

/** How it is called. */
export const COMMAND = {
  usage: [
    "deno task serve --memory FILE [--wire NAME] [--ports N] [--lanes L] [--services MODULE]",
  ],
  does:
    `Serves the programs that map a file of shared memory, until it is ended by SIGINT or SIGTERM. It makes the
file, and takes it away at the end, or takes one that is there, and leaves it; then it prints a line: ready.`,
  options: {
    memory: { value: "FILE", help: "in a folder in memory: /dev/shm/calls" },
    wire: { value: "NAME", help: `${WIRES.join(", ")}; llvm when absent: see below` },
    ports: { value: "N", help: "1 to 16384, 16 when absent; the other side's number" },
    lanes: {
      value: "L",
      help: "1 to 64, 1 when absent; the other side's number. A client on a host has 1",
    },
    services: {
      value: "MODULE",
      isList: true,
      help:
        "exports addServices(server); a path or a URL. Absent: LLVM's own services (files, printing, " +
        "exit) for the wires of LLVM, noop for portlab. May be given several times",
    },
  },
  ends:
    `With llvm and llvm-2025 byte 0 of the file is byte 0 of the memory that LLVM libc's shared/rpc.h describes:
rpc::Server and rpc::Client over its address find it in order, in the newest form (a doorbell in front) and
in that before it. With portlab the file is what openSharedFile() of this library opens.

It ends with 0; with 1 when a module of services fails, 2 when the command line or the file is wrong, 130
after a second signal, which does not wait for what is served; and as a client says that calls exit or abort.`,
} as const;

/** What is to be served. */
export interface ServeOptions {
  readonly path: string;
  readonly wire: WireName;
  readonly portCount: number;
  readonly laneCount: number;
  /** Absolute URLs. */
  readonly services: readonly string[];
}

/** @throws {SyntaxError} when the command line is wrong */
export function optionsOf({ given }: ReadOptions<typeof COMMAND.options>): ServeOptions {
  const { memory, wire = "llvm", ports = "16", lanes = "1", services } = given;
  if (!memory) throw new SyntaxError("Cannot serve as --memory must name a file: it is absent");
  if (!(WIRES as readonly string[]).includes(wire)) {
    throw new SyntaxError(
      `Cannot serve as --wire must be one of ${WIRES.join(", ")}: current value is ${wire}`,
    );
  }
  return {
    path: memory,
    wire: wire as WireName,
    portCount: countOf("--ports", ports, PORT_COUNT_MAX),
    laneCount: countOf("--lanes", lanes, LANE_COUNT_MAX),
    services: services.map(moduleUrl),
  };
}

function moduleUrl(service: string): string {
  return URL.canParse(service) ? service : toFileUrl(resolve(service)).href;
}

function countOf(name: string, text: string, most: number): number {
  if (/^[1-9]\d*$/.test(text) && Number(text) <= most) return Number(text);
  throw new SyntaxError(
    `Cannot serve as ${name} must be a whole number from 1 to ${most}: current value is ${text}`,
  );
}
