import { assertEquals, assertThrows } from "@std/assert";
import { toFileUrl } from "@std/path";
import { parseServeOptions } from "./serve_options.ts";

Deno.test("parseServeOptions() reads what is to be served", () => {
  assertEquals(parseServeOptions(["--help"]), undefined);
  const usual = { path: "/dev/shm/a", wire: "llvm", portCount: 16, laneCount: 1, services: [] };
  assertEquals(parseServeOptions(["--memory", "/dev/shm/a"]), usual as never);
  const args =
    "--memory f --wire llvm-2025 --ports 4096 --lanes 64 --services a.ts --services https://b.c/d";
  assertEquals(parseServeOptions(args.split(" ")), {
    path: "f",
    wire: "llvm-2025",
    portCount: 4096,
    laneCount: 64,
    services: [toFileUrl(`${Deno.cwd()}/a.ts`).href, "https://b.c/d"],
  });
});

Deno.test("parseServeOptions() says what is wrong", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["", "--memory must name a file"],
    [
      "--memory f --wire tcp",
      "--wire must be one of portlab, llvm, llvm-2025: current value is tcp",
    ],
    ["--memory f --ports 0", "--ports must be a whole number from 1: current value is 0"],
    ["--memory f --lanes x", "--lanes must be a whole number"],
    ["--memory f --port 3", "has no option --port"],
    ["--memory f --memory g", "--memory is there twice"],
    ["g --memory f", "takes options alone: current value is g"],
  ];
  for (const [line, message] of wrong) {
    assertThrows(() => parseServeOptions(line.split(" ")), SyntaxError, message);
  }
});
