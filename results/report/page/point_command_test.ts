import { assertEquals } from "@std/assert";
import { pointCommand } from "./point_command.ts";

Deno.test("pointCommand() quotes for a shell, and only where it must", () => {
  assertEquals(
    pointCommand({ repeatArguments: ["--scenario", "ping_pong"] }),
    "deno task bench --scenario ping_pong --rounds 5",
  );
  assertEquals(
    pointCommand({ repeatArguments: ["--scenario", "./my file.ts", "--point", "a=it's;b=1"] }),
    `deno task bench --scenario './my file.ts' --point 'a=it'\\''s;b=1' --rounds 5`,
  );
});

Deno.test("pointCommand() comes back from a shell as it was", async () => {
  const pointId = `a=it's "x" $HOME;b=1`;
  const command = pointCommand({ repeatArguments: ["--scenario", "s", "--point", pointId] })
    .replace("deno task bench", "printf '%s|'");
  const { stdout } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  assertEquals(new TextDecoder().decode(stdout).split("|")[3], pointId);
});
