/** Import by URL: what a program outside this tree does. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);

const PROGRAM = `
import { Channel, Client, startServer } from "ORIGIN/core/mod.ts";
const channel = Channel.create({ portCount: 4, laneCount: 32 });
const server = await startServer(channel, { services: [new URL("./services.ts", import.meta.url)] });
const client = new Client(channel);
let sum = 0;
for (let call = 0; call < 1000; call++) {
  client.call(40_000, { fill: (packet) => packet.forEachLane((lane) => packet.setUint32(lane, 0, lane)), use: (packet) => packet.forEachLane((lane) => sum += packet.getUint32(lane, 0)) });
}
channel.shutDown();
await server.done;
console.log(sum);
`;

const SERVICES = `
import type { Server } from "ORIGIN/core/mod.ts";
export function addServices(server: Server): void {
  server.operate(40_000, (packet) => {
    packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) * 2));
  });
}
`;

/** Serves the tree, and the types of its files as a plain web server would know them. */
function serveTree(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const path = new URL(request.url).pathname.slice(1);
    try {
      const body = await Deno.readFile(new URL(path, ROOT));
      return new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });
    } catch {
      return new Response(null, { status: 404 });
    }
  });
}

Deno.test("core/mod.ts imports by URL, starts a server worker from there and makes calls", async () => {
  const web = serveTree();
  const origin = `http://127.0.0.1:${web.addr.port}`;
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/main.ts`, PROGRAM.replaceAll("ORIGIN", origin));
  await Deno.writeTextFile(`${folder}/services.ts`, SERVICES.replaceAll("ORIGIN", origin));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-lock",
      "--check",
      `--allow-import=127.0.0.1:${web.addr.port}`,
      "--allow-read",
      "main.ts",
    ],
    cwd: folder,
  }).output();
  await web.shutdown();
  await Deno.remove(folder, { recursive: true });
  assert(success, new TextDecoder().decode(stderr));
  assertEquals(new TextDecoder().decode(stdout).trim(), String(1000 * 2 * 31 * 16));
});
