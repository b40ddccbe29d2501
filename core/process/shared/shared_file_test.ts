import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import { startServer } from "../../worker/start_server.ts";
import { ErrnoError } from "../../signature/mod.ts";
import { FILE_MAGIC } from "./roster.ts";
import { SharedFile } from "./shared_file.ts";
import { Peer, WAIT } from "./on_peer_test.ts";
import { randomGenerator } from "../../testing/random.ts";
import { onLinux } from "../../testing/fixtures/on_linux.ts";

const services = [new URL("../testdata/llvm_services.ts", import.meta.url)];
const shape = { portCount: 4, laneCount: 1 };
function namedPath(): string {
  return `/dev/shm/portlab-test-${crypto.randomUUID()}`;
}

function increment(client: Client, value: number): number {
  let answer = 0;
  client.call(40_000, {
    fill: (packet) => packet.setUint32(0, 0, value),
    use: (packet) => void (answer = packet.getUint32(0, 0)),
  }, WAIT);
  return answer;
}

onLinux(
  "SharedFile: processes call a server in a Worker of another, and each other's Workers",
  async () => {
    using file = SharedFile.create(shape);
    await using _server = await startServer(file.channel, { services, keepsAlive: false });
    await using first = await new Peer(file.path, "call", "300").ready();
    await using second = await new Peer(file.path, "call", "300").ready();
    assertEquals([await first.line(), await second.line()], ["0", "0"]);
    assertEquals(increment(new Client(file.channel), 6), 7);
  },
);

onLinux(
  "SharedFile of each design serves a call of another process's view, and sleepers wake",
  async () => {
    for (
      const design of [
        { portLock: "fetch-or", mailboxWidth: "bit", mailboxUpdate: "fetch-xor" },
        { mailboxWidth: "padded", discovery: "scan", mailboxRead: "outbox" },
        { portLock: "held", laneBytes: 128, packetLayout: "word-major" },
      ] as const
    ) {
      using file = SharedFile.create({ ...shape, ...design });
      using other = SharedFile.open(file.path);
      assertEquals(other.channel.layout, file.channel.layout);
      const server = new Server(other.channel, { waiter: "park" });
      server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
      const served = server.runAsync();
      const client = new Client(file.channel, { waiter: "park" });
      let answer = 0;
      await client.callAsync(40_000, {
        fill: (packet) => packet.setUint32(0, 0, 41),
        use: (packet) => void (answer = packet.getUint32(0, 0)),
      }, WAIT);
      assertEquals(answer, 42);
      file.channel.shutDown();
      await served;
    }
  },
);

onLinux(
  "SharedFile has a name for this user alone, and takes it away; one without a name is gone",
  () => {
    const path = namedPath();
    {
      using file = SharedFile.create(shape, { path });
      assertEquals(Deno.statSync(path).mode! & 0o777, 0o600);
      const again = assertThrows(() => SharedFile.create(shape, { path }), ErrnoError);
      assertEquals(again.code, "EEXIST");
      using other = SharedFile.openOrCreate(path, { portCount: 9, laneCount: 9 });
      assertEquals([other.isNew, other.participantCount], [false, 2]);
      assertEquals(other.channel.layout.portCount, file.channel.layout.portCount);
    }
    const gone = assertThrows(() => SharedFile.open(path), ErrnoError);
    assertEquals(gone.code, "ENOENT");
    {
      using file = SharedFile.create(shape, { path });
      Deno.removeSync(path);
      file.unlink(); // the name is gone: nothing happens
      Deno.writeTextFileSync(path, "mine");
      assertThrows(() => file.unlink(), Error, "another file has that name by now");
    }
    assertEquals(Deno.readTextFileSync(path), "mine");
    Deno.removeSync(path);
    let nameless = "";
    {
      using file = SharedFile.create(shape);
      nameless = file.path;
      assertThrows(() => Deno.truncateSync(nameless, 4096), Error);
    }
    assertThrows(() => SharedFile.open(nameless), ErrnoError);
  },
);

onLinux(
  "SharedFile.open() believes nothing that is foreign, unfinished, older or of another size",
  () => {
    const path = namedPath();
    using file = SharedFile.create(shape);
    const good = Deno.readFileSync(file.path);
    const changed = (word: number, value: number) => {
      const bytes = good.slice();
      new DataView(bytes.buffer).setInt32(word * 4, value, true);
      return bytes;
    };
    const wrong: readonly (readonly [Uint8Array, string])[] = [
      [new Uint8Array(), "begins with 256 bytes: current value is 0"],
      [good.slice(0, 255), "current value is 255"],
      [changed(0, 0), "not finished: its first word is 0x0"],
      [changed(0, 0x7f454c46), "it is no shared file"],
      [changed(1, 3), "made by version 3 of the file: this is version 2"],
      [changed(2, 64), "current values are 64 and"],
      [changed(3, 0), "portCount must be an integer from 1"],
      [changed(3, 5), "a channel of 5 ports"],
      [changed(4, -1), "laneCount must be an integer"],
      [changed(5, 15), "portLock must be one of"],
      [changed(5, 1 << 24), "bits 24 to 31 of its word must be 0: current value is 0x1"],
      [changed(5, 1 << 31), "bits 24 to 31 of its word must be 0: current value is 0x80"],
      [changed(9, 256), "byte 37 of its head means nothing in version 2 and must be 0"],
      [changed(63, 7 << 24), "byte 255 of its head means nothing"],
      [changed(6, 1), "laneBytes must be a multiple"],
      [changed(7, 2), "laid out as one of lane-major, word-major: current value is 2"],
      [changed(7, -1), "laid out as one of lane-major, word-major: current value is -1"],
      [changed(8, 1), "its processes are in PID namespace 1, and this one in "],
      [changed(8, -1), "its processes are in PID namespace 4294967295, and this one in "],
      [changed(65_536 / 4, 7), "was not laid out for this handle"],
      [good.slice(0, -1), "takes"],
      [new Uint8Array([...good, 0]), "takes"],
    ];
    try {
      for (const [bytes, message] of wrong) {
        Deno.writeFileSync(path, bytes);
        assertThrows(() => SharedFile.open(path), Error, message);
      }
    } finally {
      Deno.removeSync(path);
    }
    assertEquals(new DataView(good.buffer).getInt32(0, true), FILE_MAGIC);
  },
);

onLinux(
  "SharedFile gives back what a killed client held, in whatever step of its call it died",
  async () => {
    const random = randomGenerator(5);
    using file = SharedFile.create({ portCount: 2, laneCount: 1 });
    await using _server = await startServer(file.channel, {
      services,
      keepsAlive: false,
      clientTimeoutSeconds: 1,
    });
    const client = new Client(file.channel);
    for (let round = 0; round < 4; round++) {
      const what = round === 0 ? "hold" : "call-forever";
      await using peer = await new Peer(file.path, what).ready();
      await new Promise((resolve) => setTimeout(resolve, random() % 20));
      peer.signal("SIGKILL");
      await peer.process.status;
      const ports = [client.open(40_000, WAIT), client.open(40_000, WAIT)]; // both are free again
      for (const port of ports) port.close();
      assertEquals(increment(client, round), round + 1);
      file.buryDead(); // one that held nothing, which nobody had to wait for
      assertEquals(file.participantCount, 1);
    }
  },
);

onLinux("SharedFile ends the calls of a killed server, and waits for a stopped one", async () => {
  using file = SharedFile.create(shape);
  const client = new Client(file.channel);
  await using peer = await new Peer(file.path, "serve").ready();
  assertEquals(increment(client, 1), 2);
  peer.signal("SIGSTOP");
  assertThrows(
    () => client.call(40_000, { fill: () => {}, use: () => {} }, { timeoutSeconds: 0.2 }),
    DOMException,
  );
  assertEquals(file.buryDead(), 0);
  peer.signal("SIGCONT");
  assertEquals(increment(client, 2), 3);
  const late = client.callAsync(51_000, { fill: () => {}, use: () => {} }, WAIT);
  await late.catch(() => {});
  peer.signal("SIGKILL");
  const error = assertThrows(() => {
    for (;;) increment(client, 3);
  }, CallError);
  assertEquals((error as CallError).status, Status.serverGone);
});
