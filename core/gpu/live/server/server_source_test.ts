import { assert, assertEquals, assertRejects } from "@std/assert";
import { decodeError } from "../../../call/whole_error.ts";
import { channelLayout } from "../../../toggle/layout.ts";
import { KernelCompileError } from "../../wgsl/kernel_compile.ts";
import { compileLive } from "../kernel/live_compile.ts";
import { translate } from "../kernel/live_bed_test.ts";
import {
  searchLooks,
  serverConstants,
  serverSource,
  serverTexts,
  ServerWord,
  serverWordCount,
  sharedBuffers,
  waveWord,
} from "./server_source.ts";

const LAYOUT = channelLayout({ portCount: 1, laneCount: 2 });
const SHAPE = { layout: LAYOUT, invocationCount: 2, locks: "channel" } as const;

Deno.test("every word that the shaders use is declared, and no shader has an offset of its own", () => {
  const constants = {
    ...serverConstants(LAYOUT),
    INVOCATION_COUNT: 1,
    NO_PORT: 1,
    FULL_MASK: 1,
    SEARCHES_MAX: 1,
  };
  const folder = new URL("./", import.meta.url);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".wgsl"));
  assertEquals(names.length, 9);
  for (const name of names) {
    const text = Deno.readTextFileSync(new URL(name, folder)).replaceAll(/\/\/.*/g, "");
    const used = [...text.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([word]) => word);
    assertEquals(used.filter((word) => !(word in constants)), [], name);
    assert(!/\b(?:channel|payload|live)\[\s*\d/.test(text), name);
  }
});

Deno.test("what host and waves write lies on lines of its own, and what each wave says apart", () => {
  const lineOf = (word: number) => Math.floor(word / 32);
  const { leave, ownerId, idleMax, ring, texts, waves } = ServerWord;
  assertEquals([leave, ownerId, idleMax].map(lineOf), [0, 0, 0]);
  assertEquals([ring, texts, waves].map(lineOf), [1, 2, 4]);
  assertEquals(serverTexts(LAYOUT).length * 16, waves - texts);
  assertEquals([waveWord(0, "started"), waveWord(1, "refused")], [128, 137]);
  assertEquals(serverWordCount(2), 140);
});

Deno.test("what failed calls are told fits into the smallest packet", () => {
  const [text, error, ...others] = serverTexts(
    channelLayout({ portCount: 1, laneCount: 1, laneBytes: 65_536 }),
  );
  assertEquals(others.length, 2);
  const bytes = new Uint8Array(text!.buffer, 4, text![0]!);
  const told = "Cannot use word 16384 or more: enlarge laneBytes";
  assertEquals(new TextDecoder().decode(bytes), told);
  assertEquals(decodeError(new Uint8Array(error!.buffer, 8, error![0]!)).message, told);
});

Deno.test("a search looks at every port, or every word of hints", () => {
  for (const portCount of [1, 32, 33, 16_384]) {
    const layout = channelLayout({ portCount, laneCount: 1 });
    const wanted = portCount > 32 ? layout.hintWordCount + 1 : portCount;
    assert(searchLooks(layout) >= wanted);
    const scan = channelLayout({ portCount, laneCount: 1, discovery: "scan" });
    assert(searchLooks(scan) >= portCount, "a scan");
  }
});

Deno.test("a text that does not compile is told by the author's line, in each kind of module", async () => {
  for (
    const [layout, invocationCount, locks] of [
      [LAYOUT, 1, "channel"],
      [LAYOUT, 2, "device"],
      [channelLayout({ portCount: 100, laneCount: 2 }), 2, "channel"],
    ] as const
  ) {
    const compile = (source: string) =>
      compileLive(
        serverSource(source, { ...SHAPE, layout, invocationCount, locks }),
        translate,
        sharedBuffers(locks),
      );
    assert((await compile("fn operate(opcode: u32) {}")).length > 100);
    const error = await assertRejects(
      () => compile("@service(40000) fn f(x: u32) -> u32 {\n  return nothing;\n}"),
      KernelCompileError,
    );
    assertEquals(error.line, 2);
  }
});
