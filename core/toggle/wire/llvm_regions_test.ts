import { assertEquals, assertThrows } from "@std/assert";
import { channelLayout, type ChannelShape } from "../layout.ts";
import { checkWire, llvmRegions } from "./llvm_regions.ts";

Deno.test("llvmRegions() are those of shared/rpc.h, as a program that includes it says", () => {
  const found = ([[1, 1], [1, 64], [16, 32], [64, 64], [4096, 1]] as const).flatMap(
    ([portCount, laneCount]) =>
      (["llvm-2025", "llvm"] as const).map((wire) =>
        Object.values(llvmRegions({ portCount, laneCount, wire }))
      ),
  );
  assertEquals(found, [
    [0, 4, 8, 24, 88],
    [64, 68, 72, 88, 152],
    [0, 4, 8, 24, 4120],
    [64, 68, 72, 88, 4184],
    [0, 64, 128, 384, 33_152],
    [64, 128, 192, 448, 33_216],
    [0, 256, 512, 1536, 263_680],
    [64, 320, 576, 1600, 263_744],
    [0, 16_384, 32_768, 98_304, 360_448],
    [64, 16_448, 32_832, 98_368, 360_512],
  ]);
});

Deno.test("A channel of LLVM's wire has its memory at the end, behind whole pages of its own", () => {
  const layout = channelLayout({ portCount: 16, laneCount: 32, wire: "llvm" });
  assertEquals(layout.wireByte % 65_536, 0);
  assertEquals(layout.hintWord * 4 < layout.wireByte, true);
  const { serverOutboxWord, clientOutboxWord, headersWord, packetsWord, totalBytes } = layout;
  const bytes = [serverOutboxWord, clientOutboxWord, headersWord, packetsWord].map((word) =>
    word * 4 - layout.wireByte
  );
  assertEquals([...bytes, totalBytes - layout.wireByte], [64, 128, 192, 448, 33_216]);
});

Deno.test("checkWire() refuses what LLVM's memory cannot be", () => {
  const shape = { portCount: 1, laneCount: 1, wire: "llvm-2025" } as const;
  const wrong: readonly (readonly [Partial<ChannelShape>, string])[] = [
    [{ portCount: 4097 }, "portCount must be at most 4096"],
    [{ laneBytes: 128 }, "laneBytes must be 64"],
    [{ packetLayout: "word-major" }, "packetLayout must be lane-major"],
    [{ mailboxWidth: "padded" }, "mailboxWidth must be word"],
    [{ discovery: "hint" }, "discovery must be scan"],
  ];
  for (const [choice, message] of wrong) {
    assertThrows(() => channelLayout({ ...shape, ...choice }), RangeError, message);
  }
  assertThrows(
    () => channelLayout({ ...shape, wire: "other" as "llvm" }),
    TypeError,
    "wire must be one of portlab, llvm, llvm-2025: current value is other",
  );
  checkWire(channelLayout({ ...shape, wire: "llvm", portCount: 16_384 }));
});
