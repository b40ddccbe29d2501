import { assertEquals } from "@std/assert";
import { pointCommand } from "./point_command.ts";

Deno.test("pointCommand() quotes for a shell, and only where it must", () => {
  assertEquals(
    pointCommand({ scenario: "ping_pong", pointId: "" }),
    "deno task bench --scenario ping_pong --rounds 5",
  );
  assertEquals(
    pointCommand({ scenario: "./my file.ts", pointId: "a=it's;b=1" }),
    `deno task bench --scenario './my file.ts' --point 'a=it'\\''s;b=1' --rounds 5`,
  );
});

Deno.test("pointCommand() names the module of a scenario that this project does not know", () => {
  const mine = { scenario: "mine", pointId: "" };
  const known = { scenario: "ping_pong", pointId: "" };
  for (
    const line of [["--scenario", "./mine.ts"], ["--rounds", "2", "--scenario=ping_pong,./mine.ts"]]
  ) {
    assertEquals(pointCommand(mine, line), "deno task bench --scenario ./mine.ts --rounds 5");
    assertEquals(pointCommand(known, line), "deno task bench --scenario ping_pong --rounds 5");
  }
  assertEquals(pointCommand(mine, []), "deno task bench --scenario mine --rounds 5");
});

Deno.test("pointCommand() comes back from a shell as it was", async () => {
  const pointId = `a=it's "x" $HOME;b=1`;
  const command = pointCommand({ scenario: "s", pointId }).replace(
    "deno task bench",
    "printf '%s|'",
  );
  const { stdout } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  assertEquals(new TextDecoder().decode(stdout).split("|")[3], pointId);
});
