import { assertEquals } from "@std/assert";
import { ended } from "../machine/ended.ts";
import { sampleMeasurement } from "../record/testdata/sample_record.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { sweep } from "./sweep.ts";

Deno.test("sweep() measures each round, and returns what it has", async () => {
  const measure = () => Promise.resolve(sampleMeasurement);
  const { records, unmeasured, isStopped } = await sweep([pingPong], {
    ...{ seconds: 1, rounds: 3, measure },
  });
  assertEquals(records.map(({ round }) => round), [0, 1, 2]);
  assertEquals([unmeasured, isStopped], [[], false]);
});

/** Interrupts itself in the third visit: in a process of its own, as the tests end by that signal. */
const INTERRUPTED = `
import { pingPong } from "${new URL("../../scenarios/worker/ping_pong.ts", import.meta.url)}";
import { sampleMeasurement } from "${new URL(
  "../record/testdata/sample_record.ts",
  import.meta.url,
)}";
import { sweep } from "${new URL("./sweep.ts", import.meta.url)}";
let visits = 0;
async function measure(_request, { signal }) {
  if (++visits < 3) return sampleMeasurement;
  Deno.kill(Deno.pid, "SIGINT");
  await new Promise((done) => signal.addEventListener("abort", done));
  throw new Error("ended");
}
const { records, isStopped } = await sweep([pingPong], { seconds: 1, rounds: 5, measure });
console.log(records.length, visits, isStopped);
`;

Deno.test(
  "sweep() that is interrupted ends its point, keeps what it has, and lets the process go on",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    const env = { NO_COLOR: "1" };
    const { out } = await ended(Deno.execPath(), ["eval", "--no-check", INTERRUPTED], { env });
    assertEquals(out, "2 3 true\n");
  },
);
