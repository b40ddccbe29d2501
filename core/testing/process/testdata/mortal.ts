/**
 * A process of `deaths.ts`: PATH SIDE WRITES. It takes part as a client or a server, and kills itself before that
 * write to the shared memory, so that a seed finds it in the same step again.
 */
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import type { Words } from "../../../memory/words.ts";
import { SharedFile } from "../../../process/shared/shared_file.ts";
import { addServices } from "../../../process/testdata/llvm_services.ts";

/** What others see; whoever dies before a load is as dead as before the write that follows. */
const WRITES = ["store", "exchange", "compareExchange", "add", "or", "and", "xor"] as const;

const [path, side, writes] = Deno.args;
using file = SharedFile.open(path!);
const { channel } = file;
// The steps of WebAssembly are not seen; those of the design make the same accesses.
Object.assign(channel, { stepsOf: () => undefined });
dieAt(channel.words, Number(writes));
Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
if (side === "server") {
  const server = new Server(channel);
  addServices(server);
  server.run();
} else {
  const client = new Client(channel);
  for (let value = 0;; value++) {
    client.call(40_000, {
      fill: (packet) => packet.setUint32(0, 0, value),
      use: () => {},
    });
    client.callStream(40_001, [new Uint8Array(150).fill(value)]);
    client.cast(40_003, (packet) => packet.setUint32(0, 0, value));
  }
}

function dieAt(words: Words, last: number): void {
  let left = last;
  for (const name of WRITES) {
    const write = words[name].bind(words) as (...values: readonly number[]) => number;
    const counted = (...values: readonly number[]): number => {
      if (left-- <= 0) Deno.kill(Deno.pid, "SIGKILL");
      return write(...values);
    };
    Object.assign(words, { [name]: counted });
  }
}
