import { assert, assertEquals } from "@std/assert";
import { convertBenchOutput } from "./deno_bench_json.ts";

Deno.test("registerBenches() gives deno bench what convertBenchOutput() can read", async () => {
  const bench = new URL("./ping_pong_bench.ts", import.meta.url);
  const args = ["bench", "--allow-all", "--no-check", "--json", bench.pathname];
  const command = new Deno.Command(Deno.execPath(), { args, stderr: "piped" });
  const { code, stdout, stderr } = await command.output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const { measured: [one], problems } = convertBenchOutput(new TextDecoder().decode(stdout));
  assertEquals(problems, []);
  assertEquals(one!.name.scenario, "ping_pong");
  assert(one!.measurement.latencySeconds[0]! > 0);
});
