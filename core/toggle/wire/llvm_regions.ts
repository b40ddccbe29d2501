import { LANE_BYTES } from "../../memory/packet.ts";
import { HEADER_WORDS } from "../../memory/port_headers.ts";
import { alignUp } from "../../memory/regions.ts";

/**
 * Whose memory a channel has. `portlab`: this library's. `llvm`: that of LLVM libc's `shared/rpc.h` in its
 * newest form of 2026, which begins with a doorbell; `llvm-2025`: the form before it, without one.
 */
export type WireName = "portlab" | "llvm" | "llvm-2025";

/** All of them; the index in this list is wire format. */
export const WIRES: readonly WireName[] = ["portlab", "llvm", "llvm-2025"];

/** The most ports of each wire of LLVM. */
const LLVM_PORTS_MAX = { llvm: 16_384, "llvm-2025": 4096 } as const;
/** Bytes of the doorbell of the newest form: two pointers and the number of an event, on a line of their own. */
const DOORBELL_BYTES = 64;
/** LLVM's headers and buffers begin at a multiple of this. */
const ALIGN_BYTES = 8;
/** What other libraries lay out begins at a multiple of this many bytes: a page of any processor that Deno runs on. */
export const WIRE_BYTE_UNIT = 65_536;

/** Where everything is in memory that LLVM laid out, in bytes from its start. */
export interface LlvmRegions {
  /** A u32 a port: the client's inbox, which the server writes. */
  readonly primaryByte: number;
  /** A u32 a port: the client's outbox. */
  readonly secondaryByte: number;
  /** 16 bytes a port: lane mask u64, opcode u32, and 4 that nobody uses. */
  readonly headersByte: number;
  /** 64 bytes for each lane of each port. */
  readonly bufferByte: number;
  readonly totalBytes: number;
}

/** What the regions follow from. */
export interface LlvmShape {
  readonly portCount: number;
  readonly laneCount: number;
  readonly wire: WireName;
}

/**
 * Lays out what two sides share by LLVM libc's `shared/rpc.h`.
 *
 * ```text
 * doorbell   64 B                         newest form only
 * primary    portCount x u32              server writes   (the client's inbox)
 * secondary  portCount x u32              client writes   (the server's inbox)
 * headers    portCount x 16 B             client writes
 * buffer     portCount x laneCount x 64 B owner of the buffer writes
 * ```
 *
 * @example
 * ```ts
 * import { llvmRegions } from "./llvm_regions.ts";
 * const { headersByte, totalBytes } = llvmRegions({ portCount: 16, laneCount: 32, wire: "llvm" });
 * if (headersByte !== 192 || totalBytes !== 33_216) throw new Error("as shared/rpc.h has it");
 * ```
 */
export function llvmRegions({ portCount, laneCount, wire }: LlvmShape): LlvmRegions {
  const primaryByte = wire === "llvm" ? DOORBELL_BYTES : 0;
  const secondaryByte = primaryByte + portCount * 4;
  const headersByte = alignUp(secondaryByte + portCount * 4, ALIGN_BYTES);
  const bufferByte = alignUp(headersByte + portCount * HEADER_WORDS * 4, ALIGN_BYTES);
  const totalBytes = bufferByte + portCount * laneCount * LANE_BYTES;
  return { primaryByte, secondaryByte, headersByte, bufferByte, totalBytes };
}

/** What a wire decides. */
export interface WireChoices extends LlvmShape {
  readonly laneBytes: number;
  readonly packetLayout: string;
  readonly mailboxWidth: string;
  readonly discovery: string;
}

/**
 * @throws {TypeError} when there is no such wire
 * @throws {RangeError} when the wire has no such channel
 */
export function checkWire(choices: WireChoices): void {
  const { wire, portCount, laneBytes, packetLayout, mailboxWidth, discovery } = choices;
  if (!WIRES.includes(wire)) {
    throw new TypeError(
      `Cannot lay out a channel as wire must be one of ${
        WIRES.join(", ")
      }: current value is ${wire}`,
    );
  }
  if (wire === "portlab") return;
  const refuse = (name: string, bound: string, value: unknown) => {
    throw new RangeError(
      `Cannot lay out a channel of wire ${wire} as ${name} must be ${bound}: current value is ${value}`,
    );
  };
  const portsMax = LLVM_PORTS_MAX[wire];
  if (portCount > portsMax) refuse("portCount", `at most ${portsMax}`, portCount);
  if (laneBytes !== LANE_BYTES) refuse("laneBytes", `${LANE_BYTES}`, laneBytes);
  if (packetLayout !== "lane-major") refuse("packetLayout", "lane-major", packetLayout);
  if (mailboxWidth !== "word") refuse("mailboxWidth", "word", mailboxWidth);
  if (discovery !== "scan") refuse("discovery", "scan", discovery);
}
