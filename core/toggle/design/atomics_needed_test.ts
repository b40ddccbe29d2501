import { assertEquals } from "@std/assert";
import {
  ATOMIC_ACCESSES,
  atomicsFault,
  atomicsNeeded,
  DESIGN_ATOMICS,
  PCIE_ACCESSES,
} from "./atomics_needed.ts";
import { DESIGN_AXES, designFault } from "./channel_design.ts";

const CLIENT = { side: "client", locks: "channel" } as const;
const SERVER = { side: "server", locks: "channel" } as const;

Deno.test("each choice of each axis says what it needs", () => {
  for (const [axis, values] of Object.entries(DESIGN_ATOMICS)) {
    assertEquals(Object.keys(values), [...DESIGN_AXES[axis as keyof typeof DESIGN_ATOMICS]]);
  }
});

Deno.test("atomicsNeeded() follows from design, side and place of the locks", () => {
  assertEquals(atomicsNeeded({}, CLIENT), ["compareExchange", "exchange", "or"]);
  assertEquals(atomicsNeeded({}, SERVER), ["compareExchange", "exchange"]);
  const scan = { discovery: "scan" } as const;
  assertEquals(atomicsNeeded({ ...scan, portLock: "fetch-add" }, CLIENT), ["add"]);
  assertEquals(atomicsNeeded({ ...scan, portLock: "fetch-or" }, CLIENT), ["or", "and"]);
  const onDevice = { ...CLIENT, locks: "device" } as const;
  assertEquals(atomicsNeeded(scan, onDevice), []);
  assertEquals(atomicsNeeded({ ...scan, mailboxUpdate: "fetch-xor" }, onDevice), ["xor"]);
});

Deno.test("what atomicsFault() says to choose is enough, and a design of a channel", () => {
  const offers = [[], ["exchange"], ["add"], PCIE_ACCESSES, ATOMIC_ACCESSES] as const;
  let faultCount = 0;
  for (const offered of offers) {
    for (const portLock of DESIGN_AXES.portLock) {
      for (const mailboxUpdate of DESIGN_AXES.mailboxUpdate) {
        for (const where of [CLIENT, SERVER]) {
          const design = { portLock, mailboxUpdate };
          const fault = atomicsFault(design, { ...where, offered });
          if (fault === undefined) {
            assertEquals(
              atomicsNeeded(design, where).filter((one) =>
                !(offered as readonly string[]).includes(one)
              ),
              [],
            );
            continue;
          }
          faultCount++;
          const ways = [...fault.split(": choose ")[1]!.matchAll(/(\w+): "([\w-]+)"/g)];
          const chosen = Object.fromEntries(ways.map(([, axis, value]) => [axis, value]));
          const { locks = "channel", ...better } = chosen as { locks?: "channel" | "device" };
          assertEquals(designFault({ ...design, ...better }), undefined);
          const left = atomicsFault({ ...design, ...better }, { ...where, offered, locks });
          assertEquals(left, undefined, fault);
        }
      }
    }
  }
  assertEquals(faultCount > 100, true);
  assertEquals(atomicsFault({}, { ...CLIENT, offered: ATOMIC_ACCESSES }), undefined);
});
