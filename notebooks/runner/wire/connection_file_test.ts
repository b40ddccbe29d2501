import { assert, assertEquals, assertThrows } from "@std/assert";
import { freePorts, writeConnectionFile } from "./connection_file.ts";

Deno.test("freePorts() names five ports, each free, all below the range of outgoing connections", () => {
  const ports = freePorts();
  assertEquals(new Set(ports).size, 5);
  for (const port of ports) {
    assert(port < 32_768);
    Deno.listen({ hostname: "127.0.0.1", port }).close();
  }
});

Deno.test("freePorts() steps over a port that is taken", () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: freePorts()[0]! });
  assert(!freePorts(taken.addr.port).includes(taken.addr.port));
  assertThrows(() => freePorts(taken.addr.port, 5), Error, "4 of those from");
});

Deno.test("writeConnectionFile() tells the kernel what it returns", async () => {
  const connection = await writeConnectionFile();
  try {
    const fields = JSON.parse(await Deno.readTextFile(connection.path));
    assertEquals(fields.shell_port, connection.shellPort);
    assertEquals(fields.iopub_port, connection.iopubPort);
    assertEquals(fields.control_port, connection.controlPort);
    assertEquals(fields.key, connection.secret);
  } finally {
    await Deno.remove(connection.path);
  }
});
