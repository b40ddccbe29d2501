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
 * The read-modify-writes on words of the channel that each choice of a design makes on a call's way, for clients
 * that are apart from the memory: a GPU behind a bus. Choices that are not listed make none. What one worker
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
  discovery: { hint: ["or"], scan: [], bitmap: [] },
};

/** Where clients that are apart lock ports. `device`: in memory of their own, where they are the only clients. */
export type LockPlace = "channel" | "device";

/**
 * Which read-modify-writes clients need on the channel's words.
 *
 * @example
 * ```ts
 * import { atomicsNeeded } from "./atomics_needed.ts";
 * if (atomicsNeeded({ discovery: "scan" }, "device").length > 0) throw new Error("stores are enough");
 * ```
 */
export function atomicsNeeded(
  options: Partial<ChannelDesign>,
  locks: LockPlace,
): readonly AtomicAccess[] {
  const design = channelDesign(options);
  const marks = DESIGN_ATOMICS.discovery[design.discovery];
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
 * Says why clients cannot use a channel of a design with the read-modify-writes that they are offered, and what
 * would help; `undefined` where they can.
 *
 * @example
 * ```ts
 * import { atomicsFault, PCIE_ACCESSES } from "./atomics_needed.ts";
 * const fault = atomicsFault({}, { locks: "channel", offered: PCIE_ACCESSES });
 * if (!fault?.includes('discovery: "scan"')) throw new Error("PCIe has no fetch-or");
 * ```
 */
export function atomicsFault(
  options: Partial<ChannelDesign>,
  { offered, locks }: { readonly offered: readonly AtomicAccess[]; readonly locks: LockPlace },
): string | undefined {
  const design = channelDesign(options);
  const lacksOf = (wanted: Partial<ChannelDesign>, place: LockPlace) =>
    atomicsNeeded(wanted, place).filter((access) => !offered.includes(access));
  const lacking = lacksOf(design, locks);
  if (lacking.length === 0) return undefined;
  const here = wayOut(design, (wanted) => lacksOf(wanted, locks).length);
  const apart = wayOut(design, (wanted) => lacksOf(wanted, "device").length);
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
