/** What guests do to the program that they run in, seen from outside of it. */
import { assert, assertEquals } from "@std/assert";

/**
 * Of the guest that calls anything; more with `GUEST_CALLS=300000` and another `GUEST_SEED`. Where it is late,
 * it met a loop of the language without end.
 */
const CALLS = Number(Deno.env.get("GUEST_CALLS") ?? 20_000);
const SEED = Number(Deno.env.get("GUEST_SEED") ?? 1);

interface Found {
  readonly answer: string;
  /** Lines of the log for what the guest printed. */
  readonly printed: number;
  readonly isClean: boolean;
}

Deno.test("no guest ends the program, prints past the log, or learns of the host", async () => {
  const report = await Deno.makeTempFile();
  const program = new URL("./testdata/hostile_program.ts", import.meta.url).href;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, report, `${SEED}`, `${CALLS}`],
    cwd: new URL("../../../", import.meta.url),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals([code, text(stdout), text(stderr)], [0, "", ""], `seed ${SEED}`);
  const found: Record<string, Found> = JSON.parse(await Deno.readTextFile(report));
  await Deno.remove(report);
  for (const [name, { answer, isClean }] of Object.entries(found)) {
    assert(isClean, name);
    // deno-lint-ignore no-control-regex
    assert(!/file:|\.ts|business|[\x00-\x1f\u202e]/.test(answer), `${name}: ${answer}`);
  }
  const answerOf = (name: string) => found[name]!.answer;
  assertEquals(answerOf("takes the runtime's objects from the language's functions"), '"nothing"');
  assertEquals(answerOf("settles promises of classes that throw"), "[2,3]");
  assertEquals(answerOf("makes the runtime warn"), '"undefinedundefined"');
  assert(!answerOf("copies objects with the runtime's symbols").includes("size"));
  const forged: string[] = JSON.parse(answerOf("forges and exchanges listeners"));
  assertEquals(forged.map((one, index) => one === "threw" ? index : -1).filter((at) => at >= 0), [
    0,
    1,
    2,
    4,
    5,
    7,
    8,
    9,
    10,
    11,
  ]);
  assertEquals(answerOf(`calls anything, seed ${SEED}`), `[true,${CALLS}]`);
  assert(found["throws everything where nobody catches it"]!.printed >= 30);
  assertEquals(found["writes to its console"]!, { answer: "", printed: 11, isClean: true });
});
