import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { AHEAD_BYTES, type ByteRange, FetchAhead, HeapMirror, PAGE_BYTES } from "./heap_mirror.ts";

const SIZE_BYTES = 2 * PAGE_BYTES + 256;

/** What a device does: its memory, which a dispatch changes, and copies from and to it. */
class Device {
  readonly memory = new Uint8Array(SIZE_BYTES);
  readonly mirror = new HeapMirror(SIZE_BYTES);

  fetch(range: ByteRange | undefined): void {
    if (!range) return;
    this.flush();
    const copy = this.memory.slice(range.startByte, range.endByte);
    this.mirror.take(range.startByte, new Int32Array(copy.buffer));
  }

  flush(): void {
    for (const { startByte, endByte } of this.mirror.takeDirty()) {
      assertEquals([startByte % 4, endByte % 4], [0, 0]);
      this.memory.set(this.mirror.bytes.subarray(startByte, endByte), startByte);
    }
  }
}

/** Near the ends of pages, where things go wrong. */
const anyByte = fc.oneof(
  fc.integer({ min: 0, max: SIZE_BYTES - 1 }),
  fc.integer({ min: PAGE_BYTES - 20, max: PAGE_BYTES + 20 }),
  fc.integer({ min: 0, max: 40 }),
);
const anyLength = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(PAGE_BYTES + 8));
const anyStep = fc.record({
  does: fc.constantFrom("dispatch", "write", "write", "read"),
  startByte: anyByte,
  lengthBytes: anyLength,
  value: fc.integer({ min: 1, max: 255 }),
});

Deno.test("HeapMirror loses no byte of either side, and shows what is on the device", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
      const model = new Uint8Array(SIZE_BYTES);
      const device = new Device();
      for (const { does, startByte, lengthBytes, value } of steps) {
        const range = { startByte, endByte: Math.min(startByte + lengthBytes, SIZE_BYTES) };
        if (does === "write") {
          device.fetch(device.mirror.staleAround(range));
          device.mirror.put(startByte, new Uint8Array(range.endByte - startByte).fill(value));
          model.fill(value, startByte, range.endByte);
        } else if (does === "read") {
          device.fetch(device.mirror.staleIn(range));
          const seen = device.mirror.bytes.subarray(startByte, range.endByte);
          assertEquals(seen, model.subarray(startByte, range.endByte));
        } else {
          device.flush();
          assertEquals(device.memory, model);
          device.mirror.makeStale();
          for (const memory of [model, device.memory]) memory.fill(value, startByte, range.endByte);
        }
      }
      device.flush();
      assertEquals(device.memory, model);
    }),
    { numRuns: 60 },
  );
});

Deno.test("HeapMirror asks for the pages that are needed, and for none twice", () => {
  const mirror = new HeapMirror(SIZE_BYTES);
  const last = { startByte: PAGE_BYTES + 5, endByte: PAGE_BYTES + 6 };
  assertEquals(mirror.staleIn(last), undefined, "zeros at first, as there");
  mirror.makeStale();
  assertEquals(mirror.staleIn(last), { startByte: PAGE_BYTES, endByte: 2 * PAGE_BYTES });
  assertEquals(mirror.staleIn({ startByte: 0, endByte: SIZE_BYTES })?.endByte, SIZE_BYTES);
  mirror.take(PAGE_BYTES, new Int32Array(PAGE_BYTES / 4));
  assertEquals(mirror.staleIn(last), undefined);
  assertEquals(mirror.staleIn({ startByte: 0, endByte: last.endByte })?.endByte, PAGE_BYTES);
});

Deno.test("HeapMirror fetches nothing for words that are written whole", () => {
  const mirror = new HeapMirror(SIZE_BYTES);
  mirror.makeStale();
  const words = { startByte: 8, endByte: 24 };
  assertEquals(mirror.staleAround(words), undefined);
  mirror.put(8, new Uint8Array(16).fill(1));
  assertEquals(mirror.staleAround({ startByte: 24, endByte: 28 }), undefined, "next to it");
  assertEquals(mirror.staleAround({ startByte: 32, endByte: 36 })?.endByte, PAGE_BYTES, "a gap");
  assertEquals(mirror.staleAround({ startByte: 9, endByte: 12 })?.endByte, PAGE_BYTES, "a part");
  assertEquals(mirror.takeDirty(), [words]);
  assertEquals(mirror.takeDirty(), []);
});

Deno.test("FetchAhead guesses what was fetched before, as long as it is used", () => {
  const ahead = new FetchAhead();
  assertEquals(ahead.next(), undefined);
  ahead.add({ startByte: 128, endByte: 256 });
  ahead.add({ startByte: 0, endByte: 64 });
  ahead.use();
  const both = { startByte: 0, endByte: 256 };
  assertEquals([ahead.next(), ahead.next(), ahead.next(), ahead.next()], [both, both, both, both]);
  ahead.use();
  assertEquals(ahead.next(), both);
  for (let count = 0; count < 3; count++) ahead.next();
  assertEquals(ahead.next(), undefined, "four without a look");
  ahead.use();
  assertEquals(ahead.next(), undefined);
});

Deno.test("FetchAhead takes no more than it may, and then what was fetched last", () => {
  const ahead = new FetchAhead();
  ahead.add({ startByte: 0, endByte: AHEAD_BYTES });
  const far = { startByte: 4 * AHEAD_BYTES, endByte: 4 * AHEAD_BYTES + 16 };
  ahead.add(far);
  assertEquals(ahead.next(), far);
  ahead.add({ startByte: 0, endByte: 3 * AHEAD_BYTES });
  assertEquals(ahead.next(), { startByte: 0, endByte: AHEAD_BYTES });
});
