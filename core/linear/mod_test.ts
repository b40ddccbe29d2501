/** Import by URL: what a program outside this tree does. */
import { assert, assertMatch } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

/** A test of another project: makes a call, and lints a leak. */
const PROGRAM = `
import { Channel, Client, Server } from "ORIGIN/core/mod.ts";
import { type PartialPort, TypedClient } from "ORIGIN/core/linear/mod.ts";
import plugin from "ORIGIN/core/linear/lint.ts";

Deno.test("calls", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  using client = new TypedClient(new Client(channel));
  const sent: PartialPort<false> = client.open(40_000).send((packet) => packet.setUint32(0, 0, 41));
  // @ts-expect-error the packet is theirs
  const use: unknown = sent.use;
  server.runOnce();
  sent.recv((packet) => {
    if (packet.getUint32(0, 0) !== 42 || use === undefined) throw new Error("41 + 1");
  }).close();
});

Deno.test("lints", () => {
  const program = 'import { TypedClient } from "ORIGIN/core/linear/mod.ts";' +
    "new TypedClient(client).open(1);";
  const ids = Deno.lint.runPlugin(plugin, "leak.ts", program).map(({ id }) => id);
  if (ids.join() !== "linear/unconsumed-port") throw new Error(ids.join());
});
`;

/** What `deno lint` lets its plugins do. */
const PERMISSIONS = ["--allow-read", "--allow-env", "--allow-sys"];

/** Serves the tree as a plain web server would. */
function serveTree(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const path = new URL(request.url).pathname.slice(1);
    const body = await Deno.readFile(new URL(path, ROOT)).catch(() => null);
    return new Response(body, {
      status: body ? 200 : 404,
      headers: { "content-type": "text/plain" },
    });
  });
}

Deno.test("typed ports and their lint rules import by URL", async () => {
  const web = serveTree();
  const folder = await Deno.makeTempDir();
  const origin = `http://127.0.0.1:${web.addr.port}`;
  await Deno.writeTextFile(`${folder}/outside_test.ts`, PROGRAM.replaceAll("ORIGIN", origin));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-lock", "--check", ...PERMISSIONS, `--allow-import=${origin.slice(7)}`],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  await web.shutdown();
  await Deno.remove(folder, { recursive: true });
  const decoder = new TextDecoder();
  assert(success, decoder.decode(stdout) + decoder.decode(stderr));
  assertMatch(decoder.decode(stdout), /2 passed/);
});
