import { assertEquals } from "@std/assert";
import { SeenObjects } from "./seen_objects.ts";

Deno.test("SeenObjects numbers objects in their order, few and many, message by message", () => {
  const seen = new SeenObjects();
  for (const count of [1, 7, 8, 9, 1000, 3]) {
    const objects = Array.from({ length: count }, () => ({}));
    for (const [number, object] of objects.entries()) {
      assertEquals(seen.add(object), -1);
      assertEquals([seen.add(object), seen.add(objects[0]!)], [number, 0]);
    }
    assertEquals(objects.map((object) => seen.add(object)), objects.map((_, number) => number));
    seen.reset();
    assertEquals(seen.add(objects[0]!), -1);
    seen.reset();
  }
});
