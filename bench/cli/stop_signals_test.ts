import { assertEquals } from "@std/assert";
import { listenToStop } from "./stop_signals.ts";

// main_test.ts sends the other signal, at which a test runner would end.
Deno.test({
  name: "listenToStop() hears what a scheduler sends before it kills",
  ignore: Deno.build.os === "windows",
  async fn() {
    using request = listenToStop();
    assertEquals([request.signal.aborted, request.exitCode], [false, 0]);
    Deno.kill(Deno.pid, "SIGTERM");
    while (!request.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
    assertEquals(request.exitCode, 143);
  },
});
