import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { readCommand } from "../options/command_options.ts";
import { COMMAND, optionsOf } from "./c_header.ts";
import { endedModule } from "../../machine/ended.ts";

Deno.test("optionsOf() reads a shape, and says what is wrong", () => {
  const parse = (args: readonly string[]) => optionsOf(readCommand(args, COMMAND));
  assertEquals(parse([]), { portCount: 16, laneCount: 1 });
  const line = "--ports 4 --lanes 32 --wire llvm --design start=hashed --design portLock=cas";
  assertEquals(parse(line.split(" ")), {
    portCount: 4,
    laneCount: 32,
    wire: "llvm",
    start: "hashed",
    portLock: "cas",
  });
  assertEquals(parse(["--api", "math.ts"]), { api: "math.ts" });
  assertThrows(() => parse(["--design", "x=y"]), SyntaxError, "current value is x=y");
  assertThrows(() => parse(["--port", "1"]), SyntaxError, "has no option --port");
});

Deno.test("c-header writes a header, or says why there is none", async () => {
  const run = (...args: readonly string[]) =>
    endedModule(new URL("./c_header.ts", import.meta.url), ...args);
  const api = new URL("../../../core/process/testdata/stub_api.ts", import.meta.url);
  const [good, bad, stubs] = await Promise.all([
    run("--ports", "3"),
    run("--lanes", "65"),
    run("--api", api.pathname),
  ]);
  assertStringIncludes(good.out, "#define PORTLAB_PORT_COUNT 3u\n");
  assertStringIncludes(bad.error, "laneCount must be an integer from 1 to 64");
  assertStringIncludes(stubs.out, "portlab::answer<double> hypot(C &client");
  assertEquals([good.code, bad.code], [0, 2]);
});
