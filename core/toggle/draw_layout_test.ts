import { assert, assertEquals } from "@std/assert";
import { type ChannelDesign, DESIGN_AXES, isAnonymous } from "./design/channel_design.ts";
import { drawLayout } from "./draw_layout.ts";
import { channelLayout } from "./layout.ts";

/** The numbers of the picture: first byte and size of each region. */
function regionsIn(picture: string): { first: number; bytes: number; name: string }[] {
  return picture.split("\n").slice(2).map((text) => {
    const [first, bytes, name] = text.trim().split(/\s+/);
    return { first: Number(first), bytes: Number(bytes), name: name! };
  });
}

Deno.test("drawLayout() shows every region of the layout where it is", () => {
  const designs = DESIGN_AXES.portLock.flatMap((portLock) =>
    DESIGN_AXES.mailboxRead.map((mailboxRead) => ({ portLock, mailboxRead }))
  );
  for (const design of designs) {
    const layout = channelLayout({ portCount: 5, laneCount: 3, ...design });
    const absent = [
      ...isAnonymous(design.portLock) ? [] : ["clientMarksWord", "serverMarksWord"],
      ...design.mailboxRead === "turn" ? [] : ["clientTurnWord", "serverTurnWord"],
    ];
    const drawn = regionsIn(drawLayout(layout));
    const words = Object.entries(layout).filter(([key]) =>
      key.endsWith("Word") && !absent.includes(key)
    );
    assertEquals(
      drawn.map(({ name, first }) => [`${name}Word`, first / 4]).toSorted(),
      words.toSorted(),
    );
  }
});

Deno.test("drawLayout() draws mailboxes and locks in the size that their design has", () => {
  const bytesOf = (design: Partial<ChannelDesign>, region: string) => {
    const picture = drawLayout(channelLayout({ portCount: 40, laneCount: 2, ...design }));
    return regionsIn(picture).find(({ name }) => name === region)!.bytes;
  };
  const bit = { mailboxWidth: "bit", mailboxUpdate: "cas" } as const;
  for (const region of ["clientOutbox", "serverOutbox"]) {
    const sizes = [{}, { mailboxWidth: "padded" } as const, bit].map((one) => bytesOf(one, region));
    assertEquals(sizes, [160, 2560, 8]);
  }
  for (const region of ["clientTurn", "serverTurn"]) {
    const sizes = [{}, { mailboxWidth: "padded" } as const].map((one) => bytesOf(one, region));
    assertEquals(sizes, [160, 160]);
  }
  assertEquals(bytesOf({}, "packets"), 40 * 128);
  assertEquals(bytesOf({ mailboxWidth: "beside" }, "packets"), 40 * 192);
  for (const region of ["clientLock", "serverLock"]) {
    const sizes = DESIGN_AXES.portLock.map((portLock) => bytesOf({ portLock }, region));
    assertEquals(sizes, [160, 8, 8, 160, 160, 160]);
  }
});

Deno.test("drawLayout() draws regions that follow each other, do not overlap and fit", () => {
  for (const shape of [{ portCount: 1, laneCount: 2 }, { portCount: 16384, laneCount: 64 }]) {
    const layout = channelLayout(shape);
    let end = 0;
    for (const { first, bytes } of regionsIn(drawLayout(layout))) {
      assert(first >= end, `a region starts at ${first}, the one before ends at ${end}`);
      end = first + bytes;
    }
    assert(end <= layout.totalBytes);
    assertEquals(
      regionsIn(drawLayout(layout)).at(-1)!.bytes,
      shape.portCount * shape.laneCount * 64,
    );
  }
});
