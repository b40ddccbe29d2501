import { assertEquals, assertThrows } from "@std/assert";
import { toFileUrl } from "@std/path";
import { readCommand } from "../options/command_options.ts";
import { COMMAND, optionsOf } from "./serve_options.ts";

function parse(args: readonly string[]) {
  return optionsOf(readCommand(args, COMMAND));
}

Deno.test("optionsOf() reads what is to be served", () => {
  const usual = { path: "/dev/shm/a", wire: "llvm", portCount: 16, laneCount: 1, services: [] };
  assertEquals(parse(["--memory", "/dev/shm/a"]), usual as never);
  const args =
    "--memory f --wire llvm-2025 --ports 4096 --lanes 64 --services a.ts --services https://b.c/d";
  assertEquals(parse(args.split(" ")), {
    path: "f",
    wire: "llvm-2025",
    portCount: 4096,
    laneCount: 64,
    services: [toFileUrl(`${Deno.cwd()}/a.ts`).href, "https://b.c/d"],
  });
});

Deno.test("optionsOf() says what is wrong", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["", "--memory must name a file"],
    [
      "--memory f --wire tcp",
      "--wire must be one of portlab, llvm, llvm-2025: current value is tcp",
    ],
    ["--memory f --ports 0", "--ports must be a whole number from 1 to 16384: current value is 0"],
    ["--memory f --ports 16385", "from 1 to 16384: current value is 16385"],
    ["--memory f --ports 99999999", "from 1 to 16384: current value is 99999999"],
    ["--memory f --lanes x", "--lanes must be a whole number from 1 to 64: current value is x"],
    ["--memory f --lanes 65", "from 1 to 64: current value is 65"],
    ["--memory f --port 3", "has no option --port"],
    ["--memory f --memory g", "--memory is there twice"],
    ["g --memory f", "beside options there is g"],
  ];
  for (const [line, message] of wrong) {
    assertThrows(() => parse(line.split(" ").filter(Boolean)), SyntaxError, message);
  }
});
