/**
 * A process of a test: PATH and what it does there.
 *
 * `call COUNT` calls so often and prints how many answers were wrong; `call-forever` calls until it is killed;
 * `serve` serves until the channel ends; `hold` opens a port and keeps it. Each prints `ready` first.
 */
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { SharedFile } from "../shared/shared_file.ts";
import { addServices } from "./llvm_services.ts";

const [path, what, count = "Infinity"] = Deno.args;
using file = SharedFile.open(path!);
const { channel } = file;
function ready(): void {
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
}

if (what === "serve") {
  const server = new Server(channel);
  addServices(server);
  server.announce();
  ready();
  server.run();
} else if (what === "hold") {
  new Client(channel).open(40_000);
  ready();
  await new Promise((resolve) => setTimeout(resolve, 60_000));
} else {
  const client = new Client(channel);
  ready();
  let wrong = 0;
  for (let value = 0; value < Number(count); value++) {
    client.call(40_000, {
      fill: (packet) => packet.setUint32(0, 0, value),
      use: (packet) => void (wrong += Number(packet.getUint32(0, 0) !== value + 1)),
    });
    // Streams of several packets, too, so that it may die in the middle of one.
    if (value % 8 === 0) client.callStream(40_001, [new Uint8Array(150).fill(value)]);
  }
  console.log(wrong);
}
