import { assertEquals } from "@std/assert";
import { toldText, TOOLS } from "./tools.ts";

Deno.test("toldText() counts what was said, with the ratios", () => {
  const told = [0.99, 1.25, 1.06].map((ratio) => ({ verdict: "slower" as const, ratio }));
  const text = toldText([...told, { verdict: "undecided", ratio: NaN }]);
  assertEquals(text, "3 slower, 1 undecided: 0.990 to 1.25");
});

Deno.test("TOOLS can be asked, or say what is missing", async () => {
  const obstacles = await Promise.all(Object.values(TOOLS).map(({ obstacle }) => obstacle()));
  for (const why of obstacles) assertEquals(why?.startsWith("there is no ") ?? true, true);
});
