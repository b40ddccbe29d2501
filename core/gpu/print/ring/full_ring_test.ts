import { assertEquals, assertStringIncludes } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { printing } from "../testdata/printing.ts";

/** Each invocation prints records of different lengths, each with a check of its numbers. */
const CROWD = `@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = 0u; i < 16; i++) {
    let n = id.x * 16 + i;
    switch n % 3 {
      case 0: { printf("%u %u\\n", n, n * 2654435761u); }
      case 1: { printf("%u %v3u %u\\n", n, vec3u(n), n * 2654435761u); }
      default: { printf("%u %u %u %u %u %u\\n", n, n, n, n, n, n * 2654435761u); }
    }
  }
}`;

onDevice("a full ring loses whole calls, counts them, and says so", async ({ device }) => {
  const total = 64 * 64 * 16;
  for (const bytes of [16, 20, 100, 1000, 4096, 100_004, 1 << 21]) {
    const { text, callCount, lostCount, damagedWords, warnings } = await printing(device, CROWD, {
      groups: [64],
      bytes,
    });
    const lines = text.split("\n").slice(0, -1);
    assertEquals([lines.length, callCount + lostCount, damagedWords], [callCount, total, 0]);
    for (const line of lines) {
      const numbers = line.match(/\d+/g)!.map(Number);
      assertEquals(numbers.length, [2, 5, 6][numbers[0]! % 3], line);
      assertEquals(new Set(numbers.slice(0, -1)), new Set([numbers[0]]), line);
      assertEquals(numbers.at(-1), Math.imul(numbers[0]!, 2654435761) >>> 0, line);
    }
    assertEquals(new Set(lines).size, lines.length, "no call is there twice");
    assertEquals(lostCount === 0, bytes === 1 << 21);
    assertEquals(warnings.length, lostCount === 0 ? 0 : 1);
    if (lostCount > 0) {
      assertStringIncludes(
        warnings[0]!,
        `${lostCount} calls of printf were lost as the ring of ${bytes} bytes was full`,
      );
    }
  }
});
