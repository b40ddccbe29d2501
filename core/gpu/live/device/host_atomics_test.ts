import { assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_DESIGN } from "../../../toggle/design/channel_design.ts";
import { type BusView, checkOffered, hostAtomicsOf } from "./host_atomics.ts";

const PLACE = { pciDomain: 0, pciBus: 2, pciDevice: 0, pciFunction: 0 };
const ROOT = "0000:00:01.0";
const SWITCH = "0000:01:00.0";
const DEVICE = "0000:02:00.0";
const PORT_TYPE = { endpoint: 0, root: 4, upstream: 5 } as const;

/** A configuration with a capability of power management, and behind it that of PCI Express. */
function config(
  type: keyof typeof PORT_TYPE,
  { capabilities2 = 0, control2 = 0 }: { capabilities2?: number; control2?: number },
): Uint8Array {
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  bytes[0x34] = 0x40;
  bytes.set([0x01, 0x50], 0x40);
  bytes.set([0x10, 0x00], 0x50);
  view.setUint16(0x52, PORT_TYPE[type] << 4 | 2, true);
  view.setUint32(0x50 + 0x24, capabilities2, true);
  view.setUint16(0x50 + 0x28, control2, true);
  return bytes;
}

function bus(configs: Readonly<Record<string, Uint8Array>>): BusView {
  return {
    path: (name) => `/sys/devices/pci0000:00/${ROOT}/${SWITCH}/${name}`,
    config: (name) => {
      if (configs[name]) return configs[name];
      throw new Deno.errors.NotFound(name);
    },
  };
}

const GOOD = {
  [DEVICE]: config("endpoint", { control2: 1 << 6 }),
  [SWITCH]: config("upstream", { capabilities2: 1 << 6 }),
  [ROOT]: config("root", { capabilities2: 1 << 7 }),
};

Deno.test("hostAtomicsOf() believes PCI where every bridge up to the root port goes along", () => {
  const told = (
    configs: Readonly<Record<string, Uint8Array>>,
    place: typeof PLACE | undefined = PLACE,
  ) => {
    const { accesses, source } = hostAtomicsOf(false, place, bus({ ...GOOD, ...configs }));
    return [accesses.join(), source];
  };
  const all = "compareExchange,exchange,add";
  assertEquals(told({}), [all, "PCIe AtomicOps up to the root port"]);
  const off = config("endpoint", {});
  assertEquals(told({ [DEVICE]: off }), ["", "PCI: the system has not switched its AtomicOps on"]);
  const stops = config("upstream", { capabilities2: 1 << 7 });
  assertEquals(told({ [SWITCH]: stops }), ["", `PCI: ${SWITCH} does not route AtomicOps`]);
  const blind = config("root", { capabilities2: 1 << 6 });
  assertEquals(told({ [ROOT]: blind }), ["", `PCI: ${ROOT} does not complete AtomicOps`]);
  const cut = GOOD[DEVICE].slice(0, 64);
  assertEquals(told({ [DEVICE]: cut }), [
    "",
    "unknown: only root may read its PCI configuration",
  ]);
});

Deno.test("hostAtomicsOf() takes what it does not know for nothing", () => {
  const unknown = [
    hostAtomicsOf(false, undefined),
    hostAtomicsOf(false, PLACE, bus({})),
    hostAtomicsOf(false, { ...PLACE, pciDomain: 0xffff, pciBus: 0xfe }),
    // A list of capabilities that leads in a circle.
    hostAtomicsOf(false, PLACE, bus({ [DEVICE]: new Uint8Array(256).fill(0x40) })),
  ];
  for (const { accesses, source } of unknown) {
    assertEquals([accesses, source.slice(0, 8)], [[], "unknown:"]);
  }
  assertEquals(hostAtomicsOf(true, undefined).accesses.length, 6, "a software device has all");
});

Deno.test("checkOffered() names the device, what is lacking and the way out", () => {
  const card = { name: "card", hostAtomics: hostAtomicsOf(false, PLACE, bus(GOOD)) };
  checkOffered(card, { ...DEFAULT_DESIGN, discovery: "scan" }, "channel");
  assertThrows(
    () => checkOffered(card, DEFAULT_DESIGN, "channel"),
    DOMException,
    "Cannot use Vulkan as waves of card cannot share the channel: its design needs or on the host's " +
      'memory, and there is compareExchange, exchange, add: choose discovery: "scan" (PCIe AtomicOps',
  );
});
