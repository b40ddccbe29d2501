import { checkChoice } from "../../../text/nearest.ts";
import {
  ATOMIC_ACCESSES,
  type AtomicAccess,
  atomicsFault,
  type LockPlace,
  PCIE_ACCESSES,
} from "../../../toggle/design/atomics_needed.ts";
import type { ChannelDesign } from "../../../toggle/design/channel_design.ts";
import { notSupported } from "../vulkan/vulkan.ts";

/** Read-modify-writes of a device's waves that are atomic towards the threads of the host, on the host's memory. */
export interface HostAtomics {
  /** Those that there are; none where that is not known. */
  readonly accesses: readonly AtomicAccess[];
  /** How that is known, in words. */
  readonly source: string;
}

/** Where a device is on the bus, as Vulkan tells it. */
export interface BusPlace {
  readonly pciDomain: number;
  readonly pciBus: number;
  readonly pciDevice: number;
  readonly pciFunction: number;
}

/** What a system tells of the devices on its bus; what it throws says why it does not. */
export interface BusView {
  /** The configuration of a device by its name, `"0000:01:00.0"`, as far as this program may read it. */
  readonly config: (name: string) => Uint8Array;
  /** Where it is, with the names of the bridges above it: `"/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0"`. */
  readonly path: (name: string) => string;
}

const PCI_CAPABILITIES = 0x34;
const PCIE_CAPABILITY = 0x10;
/** Offsets in the capability of PCI Express: what it is, what it can do, what is switched on. */
const Express = { flags: 0x02, capabilities2: 0x24, control2: 0x28 } as const;
const ROOT_PORT = 4;
const BUS_NAME = /^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/;
/** Bits of `capabilities2`. */
const ROUTES_ATOMICS = 1 << 6;
const COMPLETES_32_BITS = 1 << 7;
/** A bit of `control2`: the system lets the device send AtomicOps. */
const REQUESTS_ATOMICS = 1 << 6;
/** Links of a list of capabilities, at most: what lies may lead in a circle. */
const CAPABILITIES_MAX = 48;

/**
 * What is atomic between a device's waves and the host. Software devices are threads of the host; of hardware
 * the configuration of PCI tells, on Linux, to who may read it. What is not known counts as nothing.
 *
 * @param place where hardware is, if Vulkan says so
 */
export function hostAtomicsOf(
  isSoftware: boolean,
  place: BusPlace | undefined,
  bus: BusView = LINUX,
): HostAtomics {
  if (isSoftware) return { accesses: ATOMIC_ACCESSES, source: "its waves are threads of the host" };
  if (!place) return none("unknown: the driver does not say where it is on PCI");
  try {
    return atomicsOnBus(nameOf(place), bus);
  } catch (error) {
    return none(`unknown: its place on PCI cannot be read: ${(error as Error).message}`);
  }
}

function none(source: string): HostAtomics {
  return { accesses: [], source };
}

function atomicsOnBus(name: string, bus: BusView): HostAtomics {
  const device = expressOf(bus.config(name));
  if (device === undefined) return none("unknown: only root may read its PCI configuration");
  if (!(device.control2 & REQUESTS_ATOMICS)) {
    return none("PCI: the system has not switched its AtomicOps on");
  }
  // The nearest bridge first, up to the root port.
  const above = bus.path(name).split("/").filter((part) => BUS_NAME.test(part)).slice(0, -1);
  for (const bridge of above.toReversed()) {
    const express = expressOf(bus.config(bridge));
    if (express === undefined) return none(`unknown: ${bridge} above it cannot be read`);
    const isRoot = (express.flags >>> 4 & 15) === ROOT_PORT;
    if (!(express.capabilities2 & (isRoot ? COMPLETES_32_BITS : ROUTES_ATOMICS))) {
      return none(`PCI: ${bridge} does not ${isRoot ? "complete" : "route"} AtomicOps`);
    }
    if (isRoot) return { accesses: PCIE_ACCESSES, source: "PCIe AtomicOps up to the root port" };
  }
  return none("unknown: there is no root port above it");
}

/** The registers of PCI Express; undefined where the configuration ends before them, as for who is not root. */
function expressOf(config: Uint8Array) {
  const view = new DataView(config.buffer, config.byteOffset, config.byteLength);
  let at = config.length > PCI_CAPABILITIES ? config[PCI_CAPABILITIES]! : 0;
  for (let step = 0; step < CAPABILITIES_MAX && at >= 0x40; step++) {
    if (at + 2 > config.length) return undefined;
    if (config[at] === PCIE_CAPABILITY) {
      if (at + Express.control2 + 2 > config.length) return undefined;
      return {
        flags: view.getUint16(at + Express.flags, true),
        capabilities2: view.getUint32(at + Express.capabilities2, true),
        control2: view.getUint16(at + Express.control2, true),
      };
    }
    at = config[at + 1]!;
  }
  return undefined;
}

function nameOf({ pciDomain, pciBus, pciDevice, pciFunction }: BusPlace): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  return `${hex(pciDomain, 4)}:${hex(pciBus, 2)}:${hex(pciDevice, 2)}.${pciFunction}`;
}

/** Linux. Asks for no permission that the program does not have. */
const LINUX: BusView = {
  config: (name) => Deno.readFileSync(grantedPath(name, "/config")),
  path: (name) => Deno.realPathSync(grantedPath(name, "")),
};

function grantedPath(name: string, file: string): string {
  if (Deno.permissions.querySync({ name: "read", path: "/sys" }).state !== "granted") {
    throw new Deno.errors.NotCapable("run with --allow-read=/sys");
  }
  return `/sys/bus/pci/devices/${name}${file}`;
}

/**
 * Rejects a channel whose design needs more than a device's atomics towards the host's memory.
 *
 * @throws {DOMException} `NotSupportedError` with what is lacking and the way out
 */
export function checkOffered(
  { name, hostAtomics }: { readonly name: string; readonly hostAtomics: HostAtomics },
  design: ChannelDesign,
  locks: LockPlace,
): void {
  checkChoice("share the channel", { locks }, ["channel", "device"]);
  const { accesses: offered, source } = hostAtomics;
  const fault = atomicsFault(design, { locks, offered });
  if (fault === undefined) return;
  throw notSupported(`waves of ${name} cannot share the channel: ${fault} (${source})`);
}
