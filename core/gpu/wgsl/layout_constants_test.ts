import { assertEquals, assertThrows } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { liveConstants } from "../live/kernel/live_source.ts";
import { oneDispatchConstants } from "../one_dispatch/one_dispatch_parts.ts";
import {
  declareConstants,
  devicePlaces,
  layoutConstants,
  REPORT_WORDS,
  spareOwnersWord,
} from "./layout_constants.ts";

const layout = channelLayout({ portCount: 8, laneCount: 4 });

/** The shaders of the GPU part, by their paths. */
function shaderTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const folder of ["wgsl", "one_dispatch", "server", "live/kernel/wgsl"]) {
    const url = new URL(`../${folder}/`, import.meta.url);
    for (const { name } of Deno.readDirSync(url)) {
      if (!name.endsWith(".wgsl")) continue;
      texts.set(`${folder}/${name}`, Deno.readTextFileSync(new URL(name, url)));
    }
  }
  return texts;
}

/** Names of the constants `*_WORD`, `*_WORDS`, `END_*`, `STATE_*` that a shader uses and does not declare. */
function undeclared(text: string, constants: Readonly<Record<string, number>>): string[] {
  const used = new Set(
    [...text.matchAll(/\b(?:[A-Z][A-Z0-9_]*_WORDS?|END_\w+|STATE_\w+)\b/g)].map(([name]) => name),
  );
  return [...used].filter((name) => !(name in constants)).sort();
}

Deno.test("every word that a shader uses is declared", () => {
  const ofLayout = layoutConstants(layout);
  // Some depend on a kernel's options, not on the channel alone.
  const ofEpochs = { LANE_MEMORY_WORDS: 16, SPARE_OWNERS_WORD: 4096, DATA_WORDS: 15 };
  const own = { ...ofLayout, ...oneDispatchConstants(layout), ...ofEpochs };
  const live = { ...ofLayout, ...liveConstants(layout), REPLY_WORDS: 1, SENT_WORDS: 1 };
  const texts = [...shaderTexts()];
  assertEquals(texts.length, 26, "the shaders were found");
  assertEquals(
    texts.flatMap(([name, text]) =>
      undeclared(text, name.startsWith("live/") ? live : own).map((word) => `${name}: ${word}`)
    ),
    [],
  );
});

Deno.test("the extraction finds a word that nobody declares", () => {
  assertEquals(undeclared("let a = channel[CLIENT_INBOX_WORD];", layoutConstants(layout)), [
    "CLIENT_INBOX_WORD",
  ]);
});

Deno.test("no shader has an offset of its own", () => {
  const literal = /\b(?:channel|payload|live)\[\s*\d/;
  const wrong = [...shaderTexts()].filter(([, text]) => literal.test(text)).map(([name]) => name);
  assertEquals(wrong, []);
  assertEquals(literal.test("payload[96u + index]"), true);
});

Deno.test("layoutConstants() are the layout's own numbers", () => {
  const constants = layoutConstants(layout);
  assertEquals(constants.CLIENT_OUTBOX_WORD, layout.clientOutboxWord);
  assertEquals(constants.SERVER_OUTBOX_WORD, layout.serverOutboxWord);
  assertEquals(constants.PACKETS_WORD, layout.packetsWord);
  assertEquals(constants.PORT_COUNT, 8);
  assertEquals(constants.CONTINUES, 2 ** 31);
  assertEquals(constants.OPCODE_WRITE_STDOUT, 1);
});

Deno.test("declareConstants() writes WGSL", () => {
  assertEquals(declareConstants({ PORT_COUNT: 8 }), "const PORT_COUNT = 8u;\n");
});

Deno.test("layoutConstants() refuses a design that no shader knows", () => {
  const others = [{ portLock: "exchange" }, { mailboxWidth: "padded" }, {
    discovery: "scan",
  }] as const;
  for (const other of others) {
    const wrong = channelLayout({ portCount: 8, laneCount: 4, ...other });
    assertThrows(() => layoutConstants(wrong), RangeError, `${Object.keys(other)[0]} must be`);
  }
});

Deno.test("devicePlaces() are apart, may be bound, and have the payload as in the layout", () => {
  for (const portCount of [1, 31, 33, 4096]) {
    const layout = channelLayout({ portCount, laneCount: 4 });
    const { headersWord, totalBytes, packetWords } = layout;
    const places = devicePlaces(layout);
    assertEquals(places.clientOutboxWord, places.reportWord + REPORT_WORDS);
    assertEquals(places.payloadWord * 4 % 256, 0);
    const gap = places.payloadWord - places.clientOutboxWord - portCount;
    assertEquals(gap >= 0 && gap < 64, true);
    assertEquals(places.totalWords - places.payloadWord, totalBytes / 4 - headersWord);
    const behind = devicePlaces(layout, 5).totalWords - places.payloadWord + headersWord;
    assertEquals(behind, spareOwnersWord(layout, 5) + 5);
    assertEquals(behind, layout.packetsWord + (portCount + 5) * packetWords + 5);
  }
});
