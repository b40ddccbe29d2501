import { assertEquals } from "@std/assert";
import { recvStream } from "../../call/stream.ts";
import { onDevice } from "../device/on_device_test.ts";
import { runKernel } from "../epochs/kernel_run_test.ts";

/** What one lane puts into its stream, as text. */
async function streamOf(gpu: Parameters<typeof runKernel>[0], body: string): Promise<string> {
  let text = "";
  await runKernel(gpu, {
    source: `fn step_0() { ${body} call_with_stream(50000u); }`,
    portCount: 1,
    laneCount: 1,
    waveCount: 1,
    register: (server) =>
      server.operatePort(50_000, (port) => {
        text = new TextDecoder().decode(recvStream(port, { limitBytes: 256 })[0]);
      }),
  });
  return text;
}

onDevice(
  "numbers are put into a stream in decimal, the smallest and the largest too",
  async (gpu) => {
    const puts = [
      ...["0u", "7u", "10u", "1999999999u", "4294967295u"].map((value) => `put_u32(${value});`),
      ...["0", "-1", "42", "2147483647", "-2147483647 - 1"].map((value) => `put_i32(${value});`),
    ];
    assertEquals(
      await streamOf(gpu, puts.join(" put_word(32u, 1u); ")),
      "0 7 10 1999999999 4294967295 0 -1 42 2147483647 -2147483648",
    );
  },
);

onDevice("bytes are put one behind the other, wherever in a word they begin", async (gpu) => {
  const letters = (text: string) =>
    [...text].reduce((word, letter, place) => word + letter.charCodeAt(0) * 256 ** place, 0);
  const texts = ["abcd", "e", "fghi", "jk", "lmn", "opq", "rstu", "v", "wxyz"];
  const puts = texts.map((text) => `put_word(${letters(text)}u, ${text.length}u);`);
  assertEquals(await streamOf(gpu, puts.join(" ")), "abcdefghijklmnopqrstuvwxyz");
});
