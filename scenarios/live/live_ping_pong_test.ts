import { assertEquals } from "@std/assert";
import { SharedWords } from "../../core/memory/words.ts";
import { FLIPS, livePingPong } from "./live_ping_pong.ts";
import { testLive } from "./on_live_lab_test.ts";

Deno.test("FLIPS bring a word from one turn to the next", () => {
  for (const [name, { flip }] of Object.entries(FLIPS)) {
    const words = new SharedWords(new SharedArrayBuffer(64));
    for (let turn = 1; turn <= 40; turn++) {
      flip(words, 3, turn);
      assertEquals(words.load(3), turn, name);
    }
  }
});

testLive({ ...livePingPong, question: "Is it there?", axes: {} }, [{}]);
