import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { onDevice } from "../device/on_device_test.ts";
import { type Conversion, parseFormat, scalarOf } from "../../text/conversion.ts";
import { formatNumber, numberFormat } from "../../text/format_number.ts";
import { printing } from "./testdata/printing.ts";

const MAIN = "@compute @workgroup_size(1) fn main()";

/** What a body of one invocation prints. */
async function printedBy(device: GPUDevice, body: string): Promise<string> {
  return (await printing(device, `${MAIN} { ${body} }`)).text;
}

onDevice("each conversion prints what the device computed", async ({ device }) => {
  const cases = [
    ['let a = -5; printf("%d|%5i|%-5d|%+d", a, a, a, -a);', "-5|   -5|-5   |+5"],
    ['let a = 255u; printf("%u %x %#X %o %04x", a, a, a, a, a);', "255 ff 0XFF 377 00ff"],
    [
      'var a = 1.5; printf("%f %.1f %e %g %8.3f", a, a, a, a, -a);',
      "1.500000 1.5 1.500000e+00 1.5   -1.500",
    ],
    ['printf("%f", 0.1);', "0.100000"],
    ['printf("%.20f", 0.1);', "0.10000000149011611938"],
    ['printf("100%% %s %5s|", "of it", "é😀");', "100% of it    é😀|"],
    [
      'printf("%v %v %v", vec2f(1, 2.5), vec3i(-1, 0, 1), vec4u(1));',
      "(1, 2.5) (-1, 0, 1) (1, 1, 1, 1)",
    ],
    [
      'printf("%.1v2f %v3d %v2x", vec2f(1) + 1, vec3(-1, 0, 1), vec2u(255));',
      "(2.0, 2.0) (-1, 0, 1) (ff, ff)",
    ],
    ['let w = 6; printf("%*d|%-*d|%.*f", w, 1, w, 2, 2, 1.0);', "     1|2     |1.00"],
    ['printf("%u %d", 4294967295, -2147483648);', "4294967295 -2147483648"],
    ['var z = 0.0; printf("%f %f", 1e38 * (z + 1e38), -1e38 * (z + 1e38));', "inf -inf"],
    ['printf("");', ""],
  ] as const;
  for (const [body, wanted] of cases) assertEquals(await printedBy(device, body), wanted, body);
});

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

onDevice("strings with odd letters, and comments that look like calls", async ({ device }) => {
  const body = `
    // printf("%q")
    /* printf("/* nested */") */ printf("// no /* comment */ \\"%s\\" \\t\\u00e9😀 { } ; ,\\n", "*/");
    printf /* between */ (
      // the format
      "%d," /* , */ , /* ( */ 1 ,
    );`;
  assertEquals(await printedBy(device, body), '// no /* comment */ "*/" \té😀 { } ; ,\n1,');
});

onDevice("several calls on a line, in loops, in branches, in a for header", async ({ device }) => {
  const body = `
    printf("a"); printf("b"); if true { printf("c"); } else { printf("d"); }
    for (var i = 0u; i < 3; printf("<%u>", i)) { i++; if i == 2 { continue; } printf("%u", i); }
    var j = 0; while j < 2 { printf("w%d", j); j++; }
    loop { printf("l"); continuing { j++; printf("c%d", j); break if j > 3; } }
    switch j { case 4: { printf("four"); } default: { printf("other"); } }`;
  assertEquals(await printedBy(device, body), "abc1<1><2>3<3>w0w1lc3lc4four");
});

onDevice("arguments are evaluated once, in their order", async ({ device }) => {
  const source = `var<private> count = 0;
    fn next() -> i32 { count++; return count; }
    ${MAIN} { printf("%d %d %d\\n", next(), next(), next()); printf("%d", count); }`;
  assertEquals((await printing(device, source)).text, "1 2 3\n3");
});

onDevice("functions print that others call", async ({ device }) => {
  const source = `${MAIN} { outer(2.0); inner(7.0); }
    fn outer(x: f32) { printf("outer "); inner(x * 2); }
    fn inner(x: f32) { printf("inner %g\\n", x); }`;
  assertEquals((await printing(device, source)).text, "outer inner 4\ninner 7\n");
});

onDevice("the author's buffers and ids stay as they are", async ({ device }) => {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: 16, usage });
  device.queue.writeBuffer(buffer, 0, new Uint32Array([3, 1, 4, 1]));
  const source = `@group(0) @binding(0) var<storage, read_write> digits: array<u32>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
      printf("%u: %u\\n", id.x, digits[id.x]);
    }`;
  const { text } = await printing(device, source, { buffers: [buffer] });
  assertEquals(text, "0: 3\n1: 1\n2: 4\n3: 1\n");
  buffer.destroy();
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

onDevice("generated names do not meet the author's", async ({ device }) => {
  const source =
    `var<private> printf_ring: u32; var<private> printf_place = 1u; fn pf_000(pf_001: u32) {}
    struct printf_Ring { printf_x_: u32 }
    ${MAIN} { let printf = 1u; pf_000(printf); printf("%u %u", printf, printf_place); }`;
  assertEquals((await printing(device, source)).text, "1 1");
});
