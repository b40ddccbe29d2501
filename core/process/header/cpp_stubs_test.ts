import { assertEquals, assertThrows } from "@std/assert";
import { startServer } from "../../worker/start_server.ts";
import * as s from "../../signature/mod.ts";
import { TimeLimit } from "../../system/child.ts";
import { LlvmFile } from "../llvm/llvm_file.ts";
import { compiled, onCompiler } from "../llvm/on_compiler_test.ts";
import { tried } from "../testdata/stub_api.ts";
import { cppStubs } from "./cpp_stubs.ts";

onCompiler(
  "cppStubs() lets a program with LLVM's header call every kind of function, and says what fails",
  async (folder) => {
    await Deno.writeTextFile(`${folder}/stubs.hpp`, cppStubs(tried));
    const program = await compiled(folder, "stub_caller");
    const path = `/dev/shm/portlab-test-${crypto.randomUUID()}`;
    using file = new LlvmFile(path, { portCount: 1, laneCount: 1 });
    await using _server = await startServer(file.channel, {
      services: [new URL("../testdata/stub_api.ts", import.meta.url)],
      keepsAlive: false,
    });
    const child = new Deno.Command(program, { args: [path] }).spawn();
    using _limit = new TimeLimit(child, 30);
    const { code, signal } = await child.status;
    assertEquals([code, signal], [0, null]);
  },
);

Deno.test("cppStubs() names what it cannot write", () => {
  const text = s.hostApi("a", { name: s.fn([], s.string) });
  assertThrows(
    () => cppStubs(text),
    TypeError,
    "a.name in C++ as it gives a text: let it fill bytes",
  );
  const list = s.hostApi("a", { list: s.fn([s.i32, s.variadic], s.nothing) });
  assertThrows(() => cppStubs(list), TypeError, "takes a variable number of values");
});
