import { assert, assertEquals, assertThrows } from "@std/assert";
import { channelLayout } from "../../../toggle/layout.ts";
import { channelConstants } from "../../wgsl/layout_constants.ts";
import {
  checkLiveDesign,
  clientPortText,
  deviceLocksText,
  liveDesignFault,
  sideConstants,
  sideText,
} from "./side_text.ts";

const PORT_TEXT = Deno.readTextFileSync(new URL("../kernel/wgsl/live_port.wgsl", import.meta.url));
const SMALL = { portCount: 1, laneCount: 1 };

Deno.test("liveDesignFault() says why waves cannot use a design", () => {
  assertEquals(liveDesignFault({}), undefined);
  const faults = [
    [{ portLock: "held" }, "portLock must be owner, exchange, fetch-add, fetch-or, cas"],
    [{ mailboxWidth: "bit", mailboxUpdate: "cas" }, "mailboxWidth must be word or padded"],
    [{ mailboxRead: "outbox" }, "mailboxRead must be turn: current value is outbox"],
    [{ start: "first" }, "start must be last-used: current value is first"],
    [{ mailboxWidth: "bit", mailboxUpdate: "store" }, "31 other ports"],
  ] as const;
  for (const [design, fault] of faults) assert(liveDesignFault(design)?.includes(fault), fault);
  const anonymous = channelLayout({ ...SMALL, portLock: "exchange" });
  checkLiveDesign(anonymous, "channel");
  assertThrows(() => checkLiveDesign(anonymous, "device"), RangeError, "portLock must be owner");
});

Deno.test("clientPortText() changes what differs from the default, and nothing else", () => {
  assertEquals(clientPortText(PORT_TEXT, channelLayout(SMALL), "channel"), PORT_TEXT);
  const scan = clientPortText(PORT_TEXT, channelLayout({ ...SMALL, discovery: "scan" }), "device");
  assert(scan.includes(deviceLocksText(4)) && !scan.includes("HINT_WORD"), scan);
  // By stores alone: no read-modify-write of the channel is left.
  const flip = /fn side_flip[^}]*}/.exec(scan)?.[0] ?? "";
  assert(flip.includes("atomicStore(&channel[word], turn)"), flip);
  const changed = [...scan.matchAll(/atomic(?!Load|Store)\w+\(&(\w+)/g)].map(([, name]) => name);
  assertEquals([...new Set(changed)].toSorted(), ["device_locks", "live"]);
  const unknown = PORT_TEXT.replace("fn port_owns", "fn port_has");
  const layout = channelLayout({ ...SMALL, portLock: "cas" });
  assertThrows(() => clientPortText(unknown, layout, "channel"), Error, "port_owns");
});

Deno.test("every word that a side's text uses is declared", () => {
  for (
    const design of [{}, { portLock: "cas" }, { portLock: "exchange", discovery: "scan" }] as const
  ) {
    const layout = channelLayout({ ...SMALL, ...design });
    for (const side of ["client", "server"] as const) {
      const known = { ...channelConstants(layout), ...sideConstants(layout, side) };
      const text = sideText(layout, { side, locks: "channel" });
      const used = [...text.matchAll(/\b[A-Z][A-Z0-9]*_(?:WORD|SHIFT|XOR)\b/g)].map(([name]) =>
        name
      );
      assertEquals(used.filter((name) => !(name in known)), []);
      // Only who marks a hint behind its flip needs more than a store.
      const isMarked = side === "client" && layout.discovery === "hint";
      assertEquals(text.includes("_ = atomicExchange(&channel[word], turn)"), isMarked);
    }
  }
});
