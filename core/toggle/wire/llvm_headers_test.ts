import { assertEquals } from "@std/assert";
import { Opcode } from "../../memory/opcode.ts";
import { NO_REPLY, WHOLE_ERRORS } from "../../memory/port_headers.ts";
import { Status } from "../../memory/status.ts";
import { channelLayout } from "../layout.ts";
import { headersOf, LlvmHeaders, NO_OPCODE, opcodeFromLlvm, opcodeToLlvm } from "./llvm_headers.ts";

Deno.test("opcodeFromLlvm() knows users' opcodes and LLVM's, and takes anything else for nobody's", () => {
  const words = [40_000, 65_535, 0x63000000, 0x63000002, 0x6f000001];
  const opcodes = [40_000, 65_535, Opcode.noop, 0x6302, 0x6f01];
  assertEquals(words.map(opcodeFromLlvm), opcodes);
  assertEquals(opcodes.map(opcodeToLlvm), words);
  const foreign = [0, 1, 32_767, 65_536, 0x63000100, 0x64000000, 40_000 | NO_REPLY, -1];
  assertEquals(new Set(foreign.map(opcodeFromLlvm)), new Set([NO_OPCODE]));
});

Deno.test("LlvmHeaders write mask and opcode alone, and tell of no status", () => {
  const layout = channelLayout({ portCount: 2, laneCount: 64, wire: "llvm" });
  const plain = new Int32Array(layout.totalBytes / 4);
  const headers = headersOf(plain, layout);
  assertEquals(headers instanceof LlvmHeaders, true);
  headers.begin(1, 40_000 | WHOLE_ERRORS | NO_REPLY, { lo: 3, hi: 4 });
  headers.setStatus(1, Status.handlerFailed);
  headers.markContinued(1);
  headers.setForm(1, 1);
  const word = layout.headersWord + 4;
  assertEquals([...plain.subarray(word, word + 4)], [3, 4, 40_000, 0]);
  plain[word + 3] = 9;
  assertEquals([headers.status(1), headers.opcodeWord(1)], [Status.ok, 40_000]);
  assertEquals([headers.tellsFaults, headers.continues(1)], [false, true]);
});
