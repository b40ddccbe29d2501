import { assert, assertEquals, assertThrows } from "@std/assert";
import { translate } from "naga-wasm";
import { channelLayout } from "../../../toggle/layout.ts";
import { directCode } from "../kernel/live_direct.ts";
import { liveSource, SHARED_BUFFERS } from "../kernel/live_source.ts";
import { liveSpirv } from "./live_spirv.ts";

const SHARED = { group: 0, binding: 0 };
const PLAIN = { group: 0, binding: 1 };

/** Every atomic, both barriers, and a buffer that is the shader's own. */
const SOURCE = `
  @group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
  @group(0) @binding(1) var<storage, read_write> plain: array<u32>;
  @group(1) @binding(0) var<storage, read_write> own: array<atomic<i32>>;
  var<workgroup> count: atomic<u32>;
  @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
    plain[lane] = 3u + atomicAdd(&count, 1u);
    storageBarrier();
    workgroupBarrier();
    if atomicCompareExchangeWeak(&words[0], 0u, 1u).exchanged { plain[4] = 1u; }
    plain[5] = atomicExchange(&words[lane], 2u) + atomicLoad(&words[lane + 1u]);
    atomicStore(&words[2], 1u);
    atomicOr(&words[3], 1u);
    atomicStore(&own[lane], 1);
    textureBarrier();
  }`;

function toSpirv(source: string): Uint32Array<ArrayBuffer> {
  return translate({ from: "wgsl", to: "spirv", source }) as Uint32Array<ArrayBuffer>;
}

interface Found {
  readonly op: number;
  readonly words: readonly number[];
}

/** The instructions of a module, with constants in the place of their ids. */
function instructions(module: Uint32Array): Found[] {
  const found: Found[] = [];
  const constants = new Map<number, number>();
  for (let at = 5; at < module.length; at += module[at]! >>> 16) {
    const words = [...module.subarray(at + 1, at + (module[at]! >>> 16))];
    const op = module[at]! & 0xffff;
    if (op === 43) constants.set(words[1]!, words[2]!);
    found.push({ op, words });
  }
  return found.map(({ op, words }) => ({
    op,
    words: op < 224 || op > 242 ? words : words.map((word) => constants.get(word) ?? -1),
  }));
}

/** The instructions of one kind, without what names ids. */
function wordsOf(module: Uint32Array, op: number): readonly (readonly number[])[] {
  return instructions(module).filter((one) => one.op === op).map(({ words }) => words);
}

const [ACQUIRE, RELEASE, BOTH] = [0x42, 0x44, 0x48];
const [DEVICE, WORKGROUP] = [1, 2];

Deno.test("liveSpirv() lets workgroupBarrier() order buffers, and leaves other barriers", () => {
  const made = liveSpirv(toSpirv(SOURCE), [SHARED, PLAIN]);
  assertEquals(wordsOf(made, 224), [
    // The one with which the translator ends its clearing of workgroup memory.
    [WORKGROUP, WORKGROUP, 0x148],
    [WORKGROUP, DEVICE, BOTH],
    [WORKGROUP, WORKGROUP, 0x148],
    [WORKGROUP, WORKGROUP, 0x808],
  ]);
});

Deno.test("liveSpirv() lets subgroupBarrier() order buffers", () => {
  const source = toSpirv(
    "@compute @workgroup_size(4) fn main() { var x = 1u; subgroupBarrier(); }",
  );
  const made = liveSpirv(source, []);
  assertEquals(wordsOf(made, 224), [[3, 3, 0x1c8]]);
});

Deno.test("liveSpirv() orders the atomics of shared buffers alone", () => {
  const made = liveSpirv(toSpirv(SOURCE), [SHARED, PLAIN]);
  const semantics = (op: number, place: number) => wordsOf(made, op).map((words) => words[place]);
  assertEquals(semantics(227, 4), [ACQUIRE]);
  assertEquals(semantics(228, 2), [RELEASE, 0], "a store of words, and one of own");
  assertEquals(semantics(229, 4), [BOTH]);
  assertEquals(semantics(230, 4), [BOTH]);
  assertEquals(semantics(230, 5), [ACQUIRE]);
  assertEquals(semantics(241, 4), [BOTH]);
  assertEquals(semantics(234, 4), [0], "an add in workgroup memory");
});

Deno.test("liveSpirv() says that shared buffers are aliased and coherent", () => {
  const made = liveSpirv(toSpirv(SOURCE), [SHARED, PLAIN]);
  const decorated = wordsOf(made, 71);
  const placed = (binding: number) =>
    decorated.filter(([, kind, value]) => kind === 33 && value === binding).map(([id]) => id!) as [
      number,
      number,
    ];
  const [words, own] = placed(0);
  const [plain] = placed(1);
  assertEquals(decorated.filter(([, kind]) => kind === 20 || kind === 23), [
    [words, 20],
    [words, 23],
    [plain, 20],
    [plain, 23],
  ]);
  assert(own !== words);
});

Deno.test("liveSpirv() leaves a module without barriers and atomics as it was, but for its version", () => {
  const source = toSpirv("@compute @workgroup_size(1) fn main() {}");
  const made = liveSpirv(source, []);
  assertEquals(made[1], 0x00010300);
  assertEquals([...made.with(1, source[1]!)], [...source]);
});

Deno.test("liveSpirv() rejects what is no module, or lacks a buffer", () => {
  const module = toSpirv(SOURCE);
  const rejects = (source: Uint32Array, message: string) =>
    assertThrows(() => liveSpirv(source, [SHARED]), TypeError, message);
  rejects(module.with(0, 7), "Cannot make SPIR-V for a live kernel as SPIR-V must begin with");
  rejects(module.with(3, 0), "its bound of ids must be 1 to");
  rejects(module.with(3, 0xffffffff), "current value is 4294967295");
  rejects(module.subarray(0, -3), "at least 4 words");
  assertThrows(
    () => liveSpirv(module, [{ group: 2, binding: 0 }]),
    TypeError,
    "as it has no buffer at @group(2) @binding(0)",
  );
});

Deno.test("liveSpirv() makes something of a broken module, or says what is wrong", () => {
  const module = toSpirv(SOURCE);
  let rejected = 0;
  for (let at = 0; at < module.length; at++) {
    for (const value of [0, 0xffffffff, module[at]! ^ 0x10000, 3 << 16 | 230, 2 << 16 | 71]) {
      try {
        liveSpirv(module.with(at, value), [SHARED]);
      } catch (error) {
        assert(
          error instanceof TypeError && error.message.startsWith("Cannot make SPIR-V"),
          `${error}`,
        );
        rejected++;
      }
    }
  }
  assert(rejected > module.length, "most are noticed");
});

/** What Debian's validator says; undefined where it is not installed. */
async function validated(module: Uint32Array<ArrayBuffer>): Promise<string | undefined> {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeFile(file, new Uint8Array(module.buffer));
    const command = new Deno.Command("spirv-val", { args: ["--target-env", "vulkan1.1", file] });
    return new TextDecoder().decode((await command.output()).stderr);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("liveSpirv() makes what the validator takes, subgroups too", async () => {
  const subgroups = `@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;
    @compute @workgroup_size(4) fn main() {
      subgroupBarrier();
      atomicStore(&words[0], subgroupBallot(true).x);
    }`;
  const layout = channelLayout({ portCount: 2, laneCount: 4 });
  const text =
    "@service(40000) fn ask(x: u32) -> u32; fn kernel() { if ask(1u) > 1u { _ = lane_index; } }";
  const kernel = liveSource(text, { layout, wave: "subgroup" });
  const kernels = [kernel.code, directCode(kernel)!];
  for (const source of [SOURCE, subgroups, ...kernels]) {
    const before = toSpirv(source);
    const shared = kernels.includes(source) ? SHARED_BUFFERS : [SHARED];
    const said = await validated(liveSpirv(before, shared) as Uint32Array<ArrayBuffer>);
    if (said === undefined) return console.log("skipped, as spirv-val is not installed");
    assertEquals(said, "");
    if (source !== subgroups) continue;
    assert(await validated(before), "without it, subgroups are of no version that has them");
  }
});
