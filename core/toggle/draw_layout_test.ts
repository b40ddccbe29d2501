import { assert, assertEquals } from "@std/assert";
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
  const layout = channelLayout({ portCount: 5, laneCount: 3 });
  const drawn = regionsIn(drawLayout(layout));
  const words = Object.entries(layout).filter(([key]) => key.endsWith("Word"));
  assertEquals(
    drawn.map(({ name, first }) => [`${name}Word`, first / 4]).toSorted(),
    words.toSorted(),
  );
});

Deno.test("drawLayout() draws regions that follow each other, do not overlap and fit", () => {
  for (const shape of [{ portCount: 1, laneCount: 1 }, { portCount: 16384, laneCount: 64 }]) {
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
