import { assertEquals } from "@std/assert";
import { openGpu } from "../run/gpu.ts";
import { onDevice } from "../device/on_device_test.ts";
import { liveSource } from "../live/kernel/live_source.ts";
import { translate } from "../live/kernel/live_bed_test.ts";
import { channelLayout } from "../../toggle/layout.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";
import { withFreeNames } from "./library_names.ts";

Deno.test("withFreeNames() gives the names of the author back", () => {
  const library =
    "struct lane { sent: u32 } fn sent(lane: u32) { let sent_ = lane; } fn go() { sent(1u); }";
  const renamed = (text: string, more?: ReadonlyMap<string, string>) =>
    withFreeNames(library, new WgslText(text), more);
  assertEquals(renamed("fn mine() { sent(); }"), library);
  assertEquals(
    renamed("const sent = 1; fn go() { }"),
    "struct lane { sent__2: u32 } fn sent__2(lane: u32) { let sent_ = lane; } fn go_() { sent__2(1u); }",
  );
  assertEquals(
    renamed("", new Map([["sent", "s"]])).startsWith("struct lane { sent: u32 } fn s("),
    true,
  );
});

/** A kernel with everything that generates text, and what the test adds. */
function kernelWith(declared: string, sum: string): string {
  return `
    var<workgroup> tile: array<u32, 4>; var<private> mine = 3u;
    struct Pair { on: bool, x: u32 }
    @service(40001) fn twice(x: u32) -> u32; @cast @service(40002) fn note(x: u32);
    fn half(x: u32) -> u32 { assert(x < 1000u, "x is %u", x); return x / 2u; }
    fn kernel() {
      let pair = Pair(lane_index == 0u, twice(heap_u32(16u) + 4u));
      tile[lane_index] = pair.x; note(1u);
      workgroupBarrier();
      mine += twice(tile[0]);
      put("text ");
      print();
      printf("%u %u %u %b", mine, half(pair.x), ${sum}, pair.on);
    }
    ${declared}`;
}

/** What the author may declare by any name, and how it is read. */
const FORMS: readonly (readonly [declare: (name: string) => string, read: string])[] = [
  [(name) => `const ${name} = 1u;`, ""],
  [(name) => `fn ${name}() -> u32 { return 1u; }`, "()"],
  [(name) => `var<private> ${name} = 1u;`, ""],
  [(name) => `struct ${name} { x: u32 }`, "(1u).x"],
];

onDevice("a kernel may declare every name of what is generated around it", async () => {
  const options = { layout: channelLayout({ portCount: 1, laneCount: 1 }), heapBytes: 4096 };
  const waysToRun = [kernelSource, liveSource];
  const used = new Set(
    "tile mine Pair twice note half kernel lane_index heap_u32 print".split(" "),
  );
  const names = new Set(
    waysToRun.flatMap((make) =>
      new WgslText(make(kernelWith("", "0u"), options).code).declarations.names
        .map(({ text }) => text).filter((name) => !used.has(name))
    ),
  );
  const texts = FORMS.map((_, turn) => {
    const forms = [...names].map((name, at) => [name, FORMS[(at + turn) % FORMS.length]!] as const);
    const declared = forms.map(([name, [declare]]) => declare(name)).join("\n");
    const sum = forms.map(([name, [, read]]) => name + read).join(" + ");
    return kernelWith(`${declared}\nfn sum_of_all() -> u32 { return ${sum}; }`, "sum_of_all()");
  });
  for (const make of waysToRun) for (const text of texts) translate(make(text, options).code);
  using gpu = await openGpu();
  let printed = "";
  await gpu.run(texts[1]!, {
    functions: { twice: (x: number) => x * 2, note: () => {} },
    heapBytes: 4096,
    laneCount: 1,
    print: (part) => printed += part,
  });
  assertEquals(printed, `text 19 4 ${names.size} true`);
});
