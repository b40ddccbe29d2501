import { assert, assertEquals, assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { channelConstants } from "../../wgsl/layout_constants.ts";
import { checkLiveDesign, liveDesignFault, sideConstants, sideText } from "./side_text.ts";
import { clientPortText } from "../kernel/live_source.ts";

const SMALL = { portCount: 1, laneCount: 1 };

Deno.test("liveDesignFault() says why waves cannot use a design", () => {
  assertEquals(liveDesignFault({}), undefined);
  const faults = [
    [{ portLock: "held" }, "portLock must be owner, exchange, fetch-add, fetch-or, cas"],
    [{ mailboxWidth: "bit", mailboxUpdate: "cas" }, "mailboxWidth must be word, padded or beside"],
    [{ mailboxRead: "outbox" }, "mailboxRead must be turn: current value is outbox"],
    [{ start: "first" }, "start must be last-used: current value is first"],
    [{ mailboxWidth: "bit", mailboxUpdate: "store" }, "31 other ports"],
  ] as const;
  for (const [design, fault] of faults) assert(liveDesignFault(design)?.includes(fault), fault);
  const anonymous = channelLayout({ ...SMALL, portLock: "exchange" });
  checkLiveDesign(anonymous, "channel");
  assertThrows(() => checkLiveDesign(anonymous, "device"), RangeError, "portLock must be owner");
});

Deno.test("a client that only stores updates nothing of the channel", () => {
  const layout = channelLayout({ ...SMALL, discovery: "scan" });
  const scan = clientPortText(layout, "device").replace(/fn side_newest.*/, "");
  assert(scan.includes("@binding(4) var<storage, read_write> device_locks"), scan);
  assert(!scan.includes("HINT_WORD"), scan);
  assert(scan.includes("atomicStore(&channel[word], turn)"), scan);
  const changed = [...scan.matchAll(/atomic(?!Load|Store)\w+\(&(\w+)/g)].map(([, name]) => name);
  assertEquals([...new Set(changed)].toSorted(), ["device_locks", "live"]);
});

Deno.test("every word that the text uses is declared", () => {
  for (
    const design of [{}, { portLock: "cas" }, { portLock: "exchange", discovery: "scan" }] as const
  ) {
    const layout = channelLayout({ ...SMALL, ...design });
    const known = { ...channelConstants(layout), ...sideConstants(layout) };
    const text = sideText(layout, { locks: "channel", locksBinding: 3 });
    const used = [...text.matchAll(/\b[A-Z][A-Z0-9]*_(?:WORD|SHIFT)\b/g)].map(([name]) => name);
    assertEquals(used.filter((name) => !(name in known)), []);
    // Only who marks a hint behind its flip needs more than a store.
    const isMarked = layout.discovery === "hint";
    assertEquals(text.includes("_ = atomicExchange(&channel[word], turn)"), isMarked);
  }
});
