// Ends the process at a signal, and says so. The thread that runs a kernel could not: the runtime
// blocks it until the device is done, which may be never.
import { write } from "../command_line.ts";

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM"];

/** Longer than a process takes to end by a signal. */
const IGNORED_MILLISECONDS = 200;

for (const name of SIGNALS) {
  const end = () => {
    write(Deno.stderr, `Cannot go on with the program as ${name} has ended it\n`);
    // Without a listener the signal does what it always does, and a shell learns of it.
    Deno.removeSignalListener(name, end);
    Deno.kill(Deno.pid, name);
    // Shells start what runs in the background with SIGINT ignored, and so it is again by now.
    setTimeout(() => Deno.kill(Deno.pid, "SIGKILL"), IGNORED_MILLISECONDS);
  };
  Deno.addSignalListener(name, end);
}
