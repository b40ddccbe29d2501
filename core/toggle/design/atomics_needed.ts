import type { Side } from "../side.ts";
import { type ChannelDesign, channelDesign } from "./channel_design.ts";

/** A read-modify-write of a word; loads and stores are always there. */
export type AtomicAccess = "compareExchange" | "exchange" | "add" | "or" | "and" | "xor";
/** All of them. */
export const ATOMIC_ACCESSES: readonly AtomicAccess[] = [
  "compareExchange",
  "exchange",
  "add",
  "or",
  "and",
  "xor",
];

/** What PCIe has towards another's memory, where it has AtomicOps: FetchAdd, Swap and CAS. */
export const PCIE_ACCESSES = [
  "compareExchange",
  "exchange",
  "add",
] as const satisfies readonly AtomicAccess[];

/**
 * The read-modify-writes on words of the channel that each choice of a design makes on a call's way, for a side
 * that is apart from the memory: a GPU behind a bus. Choices that are not listed make none. What one worker
 * alone counts (ids, who serves, who sleeps) is left to threads of the host.
 */
export const DESIGN_ATOMICS: {
  readonly [Axis in "portLock" | "mailboxUpdate" | "discovery"]: Readonly<
    Record<ChannelDesign[Axis], readonly AtomicAccess[]>
  >;
} = {
  portLock: {
    owner: ["compareExchange", "exchange"],
    "fetch-or": ["or", "and"],
    cas: ["compareExchange"],
    "fetch-add": ["add"],
    exchange: ["exchange"],
    held: ["compareExchange", "exchange"],
  },
  mailboxUpdate: {
    store: [],
    exchange: ["exchange"],
    "fetch-add": ["add"],
    "fetch-xor": ["xor"],
    cas: ["compareExchange"],
  },
  // Clients mark; servers may do without clearing.
  discovery: { hint: ["or"], scan: [], bitmap: [] },
};

/** Which side is apart from the memory, and where its locks are. */
export interface ApartSide {
  readonly side: Side;
  /** `device`: in memory of its own, where it alone is its side of the channel. */
  readonly locks: "channel" | "device";
}

/**
 * Which read-modify-writes a side needs on the channel's words.
 *
 * @example
 * ```ts
 * import { atomicsNeeded } from "./atomics_needed.ts";
 * const clients = { side: "client", locks: "device" } as const;
 * if (atomicsNeeded({ discovery: "scan" }, clients).length > 0) throw new Error("stores are enough");
 * ```
 */
export function atomicsNeeded(
  options: Partial<ChannelDesign>,
  { side, locks }: ApartSide,
): readonly AtomicAccess[] {
  const design = channelDesign(options);
  const marks = side === "client" ? DESIGN_ATOMICS.discovery[design.discovery] : [];
  const wanted = new Set<AtomicAccess>([
    ...locks === "channel" ? DESIGN_ATOMICS.portLock[design.portLock] : [],
    ...DESIGN_ATOMICS.mailboxUpdate[design.mailboxUpdate],
    ...marks,
    // A store could be on its way still when the hint is looked at: see PROTOCOL.md, "Waves that run".
    ...marks.length > 0 && design.mailboxUpdate === "store" ? ["exchange" as const] : [],
  ]);
  return ATOMIC_ACCESSES.filter((access) => wanted.has(access));
}

/**
 * Says why a side cannot use a channel of a design with the read-modify-writes that it is offered, and what
 * would help; `undefined` where it can.
 *
 * @example
 * ```ts
 * import { atomicsFault, PCIE_ACCESSES } from "./atomics_needed.ts";
 * const clients = { side: "client", locks: "channel" } as const;
 * const fault = atomicsFault({}, { ...clients, offered: PCIE_ACCESSES });
 * if (!fault?.includes('discovery: "scan"')) throw new Error("PCIe has no fetch-or");
 * ```
 */
export function atomicsFault(
  options: Partial<ChannelDesign>,
  { offered, ...where }: ApartSide & { readonly offered: readonly AtomicAccess[] },
): string | undefined {
  const design = channelDesign(options);
  const lacksOf = (wanted: Partial<ChannelDesign>, place: ApartSide) =>
    atomicsNeeded(wanted, place).filter((access) => !offered.includes(access));
  const lacking = lacksOf(design, where);
  if (lacking.length === 0) return undefined;
  const here = wayOut(design, (wanted) => lacksOf(wanted, where).length);
  const apart = wayOut(design, (wanted) => lacksOf(wanted, { ...where, locks: "device" }).length);
  // Locks of a device need one of the channel's that says who holds a port.
  const named = design.portLock === "owner" ? [] : ['portLock: "owner"'];
  const ways = here ?? [...named, ...apart ?? [], 'locks: "device"'];
  return `its design needs ${lacking.join(", ")} on the host's memory, and there is ${
    offered.join(", ") || "no read-modify-write"
  }: choose ${ways.join(", ")}`;
}

/**
 * Other choices with which nothing is lacking; `undefined` where there are none.
 *
 * @param lackOf how many accesses a design lacks
 */
function wayOut(
  design: ChannelDesign,
  lackOf: (design: ChannelDesign) => number,
): readonly string[] | undefined {
  const ways: string[] = [];
  let better = design;
  // Without hints, a flip that is a store needs no more than that: they come first.
  for (const [axis, values] of Object.entries(DESIGN_ATOMICS).toReversed()) {
    const countOf = (value: string) => lackOf({ ...better, [axis]: value });
    const names = Object.keys(values).filter((name) => name !== "bitmap" && name !== "held");
    const best = names.toSorted((one, other) => countOf(one) - countOf(other))[0]!;
    if (countOf(best) >= lackOf(better)) continue;
    better = { ...better, [axis]: best };
    ways.push(`${axis}: "${best}"`);
  }
  return lackOf(better) === 0 ? ways : undefined;
}
