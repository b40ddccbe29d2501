import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseFormat } from "../../../text/conversion.ts";
import { TextWriter } from "../../../text/text_writer.ts";
import { type PrintfFormat, readRing, recordFormats } from "./read_ring.ts";

const FORMATS: readonly PrintfFormat[] = [
  { position: { line: 1, column: 1 }, pieces: parseFormat("%u,") },
];

/** Records whose texts count them: each of a lane or pixel word, and a workgroup or row. */
function recordsOf(places: readonly (readonly [low: number, high: number])[]) {
  const words = places.flatMap(([low, high], at) => [0x10000 | low, high, at]);
  return readRing(new Uint32Array([words.length, 0, ...words]), recordFormats(FORMATS)).records;
}

function numbers(places: readonly (readonly [number, number])[], order?: "arrival"): number[] {
  const calls = recordsOf(places).inOrder(order ?? "invocation").calls();
  return Array.from(calls, ({ text }) => Number(text.slice(0, -1)));
}

const PIXEL = 0x8000;

Deno.test("by invocation: workgroups, lanes, then as they came", () => {
  const places = [[0, 1], [10, 0], [9, 0], [0, 1]] as const;
  assertEquals(numbers(places), [2, 1, 0, 3]);
  assertEquals(numbers(places, "arrival"), [0, 1, 2, 3]);
});

Deno.test("pixels are in the order of rows, behind the lanes", () => {
  assertEquals(numbers([[PIXEL | 2, 1], [PIXEL | 9, 0], [PIXEL | 1, 1], [9, 9]]), [3, 1, 2, 0]);
});

Deno.test("the order by invocation is that of a stable sort, for any places", () => {
  const low = fc.tuple(fc.constantFrom(0, PIXEL), fc.nat(3)).map(([mark, lane]) => mark | lane);
  const high = fc.oneof(fc.nat(3), fc.nat(0xffffffff), fc.constantFrom(0x10000, 0x1ffff));
  fc.assert(
    fc.property(fc.array(fc.tuple(low, high), { maxLength: 40 }), (places) => {
      const rank = (at: number) => {
        const [low, high] = places[at]!;
        return (low >>> 15) * 2 ** 48 + high * 2 ** 15 + low % PIXEL;
      };
      const wanted = places.map((_, at) => at).toSorted((a, b) => rank(a) - rank(b));
      assertEquals(numbers(places), wanted);
    }),
    { numRuns: 50 },
  );
});

Deno.test("addTo() writes the same as the calls, one behind the other", () => {
  const writer = new TextWriter();
  const records = recordsOf([[0, 1], [3, 0]]).inOrder("invocation");
  records.addTo(writer);
  assertEquals([new TextDecoder().decode(writer.written), records.count], ["1,0,", 2]);
});
