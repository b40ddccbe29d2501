import { assertEquals, assertMatch } from "@std/assert";
import { writeConnectionFile } from "./wire/connection_file.ts";
import { KernelProcess } from "./kernel_process.ts";

const PATIENT = { graceMilliseconds: 60_000 };

Deno.test("KernelProcess.ended says how a process ended by itself", async () => {
  const process = new KernelProcess("no_such_file.json", ".");
  await process.end(PATIENT);
  assertEquals(process.ended.aborted, true);
  assertMatch(process.ended.reason.message, /ended with exit code [1-9]/);
});

Deno.test("KernelProcess.end() kills a kernel that nobody asks to end", async () => {
  const connection = await writeConnectionFile();
  try {
    const process = new KernelProcess(connection.path, ".");
    assertEquals(process.ended.aborted, false);
    await process.end({ graceMilliseconds: 0 });
    assertMatch(process.ended.reason.message, /SIGKILL/);
    await process.end(PATIENT);
  } finally {
    await Deno.remove(connection.path);
  }
});
