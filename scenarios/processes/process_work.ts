import {
  type Channel,
  Client,
  Server,
  USER_OPCODE_FIRST,
  type WaiterName,
} from "../../core/mod.ts";
import { LlvmFile, SharedFile } from "../../core/process/mod.ts";
import { addServices } from "../calls/increment.ts";
import { servingWork } from "../calls/increment_server.ts";
import { type NativeLibrary, openNative } from "../native/native_library.ts";
import type { Work } from "../partner/partner.ts";
import { type ByteWay, serveBytes } from "./byte_ways.ts";

/** Tells a server whose channel is its own to rest, as `toggle.c` does. */
const REST_OPCODE = USER_OPCODE_FIRST + 1;

/** A file with the memory of LLVM's library, and how many there are of each. */
export interface WireFile {
  readonly path: string;
  readonly portCount: number;
  readonly laneCount: number;
}

/** What the other process does. */
export type PeerInit =
  | { readonly kind: "portlab"; readonly path: string; readonly waiter: WaiterName }
  | { readonly kind: "llvm"; readonly file: WireFile; readonly waiter: WaiterName }
  | { readonly kind: "c"; readonly file: WireFile; readonly library: string }
  | { readonly kind: ByteWay; readonly folder: string; readonly byteCount: number };

/** Runs in the other process. Without work it answers on its event loop by itself. */
export function prepareWork(init: PeerInit): Work | undefined {
  switch (init.kind) {
    case "portlab":
      return serving(SharedFile.open(init.path).channel, init.waiter);
    case "llvm":
      return serving(openWire(init.file).channel, init.waiter);
    case "c":
      return servingInC(init.file, init.library);
    default:
      serveBytes(init.kind, init);
      return undefined;
  }
}

/** The channel of a process over memory of LLVM's layout, as `toggle.c` has it. */
export function openWire({ path, ...shape }: WireFile): LlvmFile {
  return new LlvmFile(path, { ...shape, wire: "llvm-2025" });
}

function serving(channel: Channel, waiter: WaiterName): Work {
  const server = new Server(channel, { waiter });
  addServices(server);
  server.operate(REST_OPCODE, () => channel.raiseAttention());
  return servingWork(channel, server);
}

/** Has a {@linkcode serving} process rest. */
export function tellToRest(client: Client): void {
  client.call(REST_OPCODE, { fill: () => {}, use: () => {} });
}

/** The functions of `toggle.c`, and what they work on. */
interface SideInC extends Pick<NativeLibrary, "symbols"> {
  readonly native: NativeLibrary;
  readonly channel: Deno.PointerValue;
}

/** `toggle.c` over a file of LLVM's layout; `channel` is nothing for memory that cannot be mapped. */
export function openInC({ path, portCount, laneCount }: WireFile, library: string): SideInC {
  const native = openNative(library);
  const { symbols } = native;
  const name = new TextEncoder().encode(`${path}\0`);
  const channel = symbols.channel_open(name, portCount, laneCount);
  if (channel !== null) return { native, symbols, channel };
  throw new Error(`Cannot call in C as it cannot map ${path}`);
}

function servingInC(file: WireFile, library: string): Work {
  const { symbols, channel } = openInC(file, library);
  return () => symbols.server_run(channel);
}
