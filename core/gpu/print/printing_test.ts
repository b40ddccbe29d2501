import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { onDevice } from "../device/on_device_test.ts";
import { type Conversion, parseFormat, scalarOf } from "../../text/conversion.ts";
import { formatNumber, numberFormat } from "../../text/format_number.ts";
import { printing } from "./testdata/printing.ts";

const MAIN = "@compute @workgroup_size(1) fn main()";

/** A conversion, its argument as WGSL has it, and what the host makes of it. */
const conversions = fc.tuple(
  fc.constantFrom("", "-", "+", "0", " "),
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom("", ".0", ".3"),
  fc.constantFrom("", "v2", "v3", "v4"),
  fc.constantFrom("d", "u", "x", "f", "e", "g"),
  fc.array(fc.integer({ min: -80, max: 80 }), { minLength: 4, maxLength: 4 }),
).map(([flag, width, precision, vector, letter, eighths]) => {
  const text = `%${flag}${width}${precision}${vector}${letter}`;
  const [piece] = parseFormat(text) as [Conversion];
  const type = scalarOf(piece)!;
  const values = eighths.slice(0, piece.size)
    .map((value) => type === "f32" ? value / 8 : type === "i32" ? value : Math.abs(value));
  const format = numberFormat(piece, () => 0);
  const shown = values.map((value) => formatNumber(value, format)).join(", ");
  const constructor = piece.size === 1 ? type : `${vector.replace("v", "vec")}<${type}>`;
  return {
    text,
    argument: `${constructor}(${values.join(", ")})`,
    wanted: piece.size === 1 ? shown : `(${shown})`,
  };
});

onDevice("random formats print what the host makes of the same numbers", async ({ device }) => {
  const calls = fc.sample(fc.array(conversions, { minLength: 1, maxLength: 6 }), 40);
  const lines = calls.map((parts) => {
    const format = parts.map(({ text }) => text).join("|");
    return `printf("${format}\\n", ${parts.map(({ argument }) => argument).join(", ")});`;
  });
  const wanted = calls.map((parts) => `${parts.map((part) => part.wanted).join("|")}\n`);
  const { text } = await printing(device, `${MAIN} {\n${lines.join("\n")}\n}`);
  assertEquals(text.split("\n"), wanted.join("").split("\n"));
});

onDevice("every invocation of every workgroup prints, in three dimensions", async ({ device }) => {
  const source =
    `struct Ids { @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32 }
    @compute @workgroup_size(2, 3, 4) fn main(ids: Ids) { printf("%v3u %u\\n", ids.group, ids.lane); }`;
  const places: unknown[] = [];
  const { text, callCount } = await printing(device, source, {
    groups: [3, 2, 2],
    sink: (_, { place }) => places.push(place),
  });
  const lines: string[] = [];
  const wanted: unknown[] = [];
  for (let group = 0; group < 12; group++) {
    for (let lane = 0; lane < 24; lane++) {
      const [x, y, z] = [group % 3, Math.floor(group / 3) % 2, Math.floor(group / 6)];
      lines.push(`(${x}, ${y}, ${z}) ${lane}\n`);
      wanted.push({ stage: "compute", workgroupIndex: group, laneIndex: lane });
    }
  }
  assertEquals([callCount, text, places], [288, lines.join(""), wanted]);
});

onDevice("by arrival, the calls of one invocation keep their order", async ({ device }) => {
  const source =
    `@compute @workgroup_size(32) fn main() { for (var i = 0; i < 8; i++) { printf("%d", i); } }`;
  const seen = new Map<string, string>();
  const sink = (text: string, { place }: { place: unknown }) => {
    const key = JSON.stringify(place);
    seen.set(key, (seen.get(key) ?? "") + text);
  };
  await printing(device, source, { groups: [8], order: "arrival", sink });
  assertEquals([seen.size, new Set(seen.values())], [256, new Set(["01234567"])]);
});

onDevice(
  "an entry point is chosen among several, and one that does not print can be bound",
  async ({ device }) => {
    const source = `${MAIN} { printf("main"); }
    @compute @workgroup_size(1) fn other() { printf("other"); }
    @compute @workgroup_size(1) fn silent() { }`;
    for (const [entryPoint, wanted] of [["main", "main"], ["other", "other"], ["silent", ""]]) {
      assertEquals((await printing(device, source, { entryPoint: entryPoint! })).text, wanted);
    }
  },
);

onDevice("a shader without printf prints nothing", async ({ device }) => {
  assertEquals((await printing(device, `${MAIN} { }`)).callCount, 0);
});
