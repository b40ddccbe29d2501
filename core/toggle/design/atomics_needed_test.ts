import { assertEquals } from "@std/assert";
import {
  ATOMIC_ACCESSES,
  atomicsFault,
  atomicsNeeded,
  DESIGN_ATOMICS,
  PCIE_ACCESSES,
} from "./atomics_needed.ts";
import { DESIGN_AXES, designFault } from "./channel_design.ts";

Deno.test("each choice of each axis says what it needs", () => {
  for (const [axis, values] of Object.entries(DESIGN_ATOMICS)) {
    assertEquals(Object.keys(values), [...DESIGN_AXES[axis as keyof typeof DESIGN_ATOMICS]]);
  }
});

Deno.test("atomicsNeeded() follows from the design and the place of the locks", () => {
  assertEquals(atomicsNeeded({}, "channel"), ["compareExchange", "exchange", "or"]);
  const scan = { discovery: "scan" } as const;
  assertEquals(atomicsNeeded({ ...scan, portLock: "fetch-add" }, "channel"), ["add"]);
  assertEquals(atomicsNeeded({ ...scan, portLock: "fetch-or" }, "channel"), ["or", "and"]);
  assertEquals(atomicsNeeded(scan, "device"), []);
  assertEquals(atomicsNeeded({ ...scan, mailboxUpdate: "fetch-xor" }, "device"), ["xor"]);
});

Deno.test("what atomicsFault() says to choose is enough, and a design of a channel", () => {
  const offers = [[], ["exchange"], ["add"], PCIE_ACCESSES, ATOMIC_ACCESSES] as const;
  let faultCount = 0;
  for (const offered of offers) {
    for (const portLock of DESIGN_AXES.portLock) {
      for (const mailboxUpdate of DESIGN_AXES.mailboxUpdate) {
        const design = { portLock, mailboxUpdate };
        const fault = atomicsFault(design, { locks: "channel", offered });
        if (fault === undefined) {
          const isOffered = (one: string) => (offered as readonly string[]).includes(one);
          assertEquals(atomicsNeeded(design, "channel").filter((one) => !isOffered(one)), []);
          continue;
        }
        faultCount++;
        const ways = [...fault.split(": choose ")[1]!.matchAll(/(\w+): "([\w-]+)"/g)];
        const chosen = Object.fromEntries(ways.map(([, axis, value]) => [axis, value]));
        const { locks = "channel", ...better } = chosen as { locks?: "channel" | "device" };
        assertEquals(designFault({ ...design, ...better }), undefined);
        const left = atomicsFault({ ...design, ...better }, { offered, locks });
        assertEquals(left, undefined, fault);
      }
    }
  }
  assertEquals(faultCount > 100, true);
  assertEquals(atomicsFault({}, { locks: "channel", offered: ATOMIC_ACCESSES }), undefined);
});
