import { assertEquals, assertRejects } from "@std/assert";
import { freePorts, writeConnectionFile } from "./wire/connection_file.ts";
import { KernelChannels } from "./kernel_channels.ts";
import { KernelProcess } from "./kernel_process.ts";

Deno.test("KernelChannels.connect() gives up with the signal's reason where nobody listens", async () => {
  const [shellPort, iopubPort, controlPort] = freePorts() as [number, number, number];
  const connection = { shellPort, iopubPort, controlPort, secret: "secret", path: "" };
  const gone = AbortSignal.abort(new Error("the kernel has ended"));
  await assertRejects(() => KernelChannels.connect(connection, gone), Error, "has ended");
  const late = AbortSignal.timeout(50);
  await assertRejects(() => KernelChannels.connect(connection, late), DOMException, "timeout");
});

Deno.test("KernelChannels.execute() is answered on both channels under the id that it returned", async () => {
  const connection = await writeConnectionFile();
  const process = new KernelProcess(connection.path, ".");
  try {
    using channels = await KernelChannels.connect(connection, process.ended);
    const id = await channels.execute("console.log(1)");
    const wanted = new Set(["status", "execute_input", "stream", "execute_reply"]);
    while (wanted.size > 0) {
      const message = await channels.incoming.next(60_000);
      if (message?.parentId === id) wanted.delete(message.type);
    }
    await channels.shutDown();
    await process.end({ graceMilliseconds: 60_000 });
    assertEquals(process.ended.aborted, true);
  } finally {
    await process.end({ graceMilliseconds: 0 });
    await Deno.remove(connection.path);
  }
});
