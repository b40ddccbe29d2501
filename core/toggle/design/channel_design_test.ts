import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type ChannelDesign,
  channelDesign,
  checkNamesHolders,
  DEFAULT_DESIGN,
  DESIGN_AXES,
  type DesignAxis,
  designFault,
  designWord,
  isAnonymous,
  otherChoice,
} from "./channel_design.ts";

/** Every combination of the values of all axes. */
function allDesigns(): ChannelDesign[] {
  let designs: Partial<ChannelDesign>[] = [{}];
  for (const axis of Object.keys(DESIGN_AXES) as DesignAxis[]) {
    designs = designs.flatMap((one) =>
      DESIGN_AXES[axis].map((value) => ({ ...one, [axis]: value }))
    );
  }
  return designs as ChannelDesign[];
}

Deno.test("designFault() refuses what no channel can be, and nothing else", () => {
  const reasons = new Map<string, number>();
  for (const design of allDesigns()) {
    const { mailboxWidth, mailboxUpdate, discovery, mailboxRead } = design;
    const writesWord = mailboxUpdate === "store" || mailboxUpdate === "exchange";
    const isWrong = (mailboxWidth === "bit" && (writesWord || mailboxRead === "turn")) ||
      (mailboxWidth !== "bit" && discovery === "bitmap");
    const fault = designFault(design);
    assertEquals(fault !== undefined, isWrong, JSON.stringify(design));
    if (fault !== undefined) reasons.set(fault, (reasons.get(fault) ?? 0) + 1);
  }
  assertEquals([...reasons.keys()].toSorted(), [
    "discovery bitmap looks at 32 mailboxes in a word, which with mailboxWidth beside holds one",
    "discovery bitmap looks at 32 mailboxes in a word, which with mailboxWidth padded holds one",
    "discovery bitmap looks at 32 mailboxes in a word, which with mailboxWidth word holds one",
    "mailboxRead turn writes a whole word before the flip, which with mailboxWidth bit would be that of 31 other ports",
    "mailboxUpdate exchange writes a whole word, which with mailboxWidth bit holds the mailboxes of 31 other ports",
    "mailboxUpdate store writes a whole word, which with mailboxWidth bit holds the mailboxes of 31 other ports",
  ]);
});

Deno.test("designFault() names a value that no axis has, and those that it has", () => {
  for (const axis of Object.keys(DESIGN_AXES) as DesignAxis[]) {
    const fault = designFault({ [axis]: "wish" } as Partial<ChannelDesign>);
    assertEquals(
      fault,
      `${axis} must be one of ${DESIGN_AXES[axis].join(", ")}: current value is wish`,
    );
  }
});

Deno.test("channelDesign() completes a design by the defaults, and throws the reason", () => {
  assertEquals(channelDesign({}), DEFAULT_DESIGN);
  const chosen = { portLock: "cas", mailboxWidth: "padded", start: "first" } as const;
  const more = { ...chosen, portCount: 3 };
  assertEquals(channelDesign(more), { ...DEFAULT_DESIGN, ...chosen });
  const bit = { mailboxWidth: "bit", mailboxUpdate: "fetch-add" } as const;
  assertEquals(channelDesign(bit), { ...DEFAULT_DESIGN, ...bit, mailboxRead: "outbox" });
  const wrong = { mailboxWidth: "bit" } as const;
  assertThrows(
    () => channelDesign(wrong),
    RangeError,
    `Cannot lay out a channel as ${designFault(wrong)}`,
  );
  assertThrows(() => channelDesign({ portLock: null as never }), RangeError, "value is null");
});

Deno.test("designWord() is 0 for the default, and another for each design", () => {
  const designs = allDesigns();
  assertEquals(new Set(designs.map(designWord)).size, designs.length);
  assertEquals(designWord(DEFAULT_DESIGN), 0);
  const last = { portLock: "exchange", mailboxWidth: "bit", mailboxUpdate: "cas" } as const;
  assertEquals(
    designWord({ ...DEFAULT_DESIGN, ...last, discovery: "bitmap", start: "rotating" }),
    0x032424,
  );
  assertEquals(designWord({ ...DEFAULT_DESIGN, mailboxRead: "outbox" }), 0x100000);
});

Deno.test("otherChoice() names the first choice that is not the default", () => {
  assertEquals(otherChoice(DEFAULT_DESIGN), undefined);
  const other = { ...DEFAULT_DESIGN, mailboxWidth: "padded", start: "first" } as const;
  assertEquals(otherChoice(other), "mailboxWidth must be word: current value is padded");
});

Deno.test("checkNamesHolders() lets pass the locks that name their holder", () => {
  assertEquals(DESIGN_AXES.portLock.filter((name) => !isAnonymous(name)), ["owner", "held"]);
  checkNamesHolders(DEFAULT_DESIGN, "look");
  const cas = { ...DEFAULT_DESIGN, portLock: "cas" } as const;
  const error = assertThrows(() => checkNamesHolders(cas, "look"), TypeError);
  assert(error.message.startsWith("Cannot look as portLock cas does not say"));
});
