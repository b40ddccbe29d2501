/** A client that changes the header of a call while the server reads it. */
import { assert, assertEquals } from "@std/assert";
import type { Packet } from "../../memory/packet.ts";
import type { Words } from "../../memory/words.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";

const OPCODE = 40_000;
function skip(): void {}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

Deno.test("a header that changes after it was checked is used as it was then", async () => {
  const { channel, server, faults, forget } = underChangingHeaders();
  const client = new Client(channel);
  const found: unknown[] = [];
  const note = ({ mask }: Packet) => void found.push(mask);
  const throwNoted = (packet: Packet) => {
    note(packet);
    throw new Error("noted");
  };
  server.operate(OPCODE, note);
  server.operate(OPCODE + 1, throwNoted);
  server.operatePort(OPCODE + 2, (port) => void port.recv(note));
  server.operatePort(OPCODE + 3, (port) => void port.recv(throwNoted));
  server.operateAsync(OPCODE + 4, note);
  server.operateAsync(OPCODE + 5, throwNoted);
  server.operatePortAsync(OPCODE + 6, async (port) => {
    await port.recvAsync(note);
    found.push(port.opcode);
  });
  server.operatePortAsync(OPCODE + 7, async (port) => void await port.recvAsync(throwNoted));
  const mask = { lo: 5, hi: 0 };
  for (let opcode = OPCODE; opcode < OPCODE + 8; opcode++) {
    client.open(opcode, { mask }).send(skip).close();
    assert(server.runOnce());
    while (client.tryOpen(0)?.close() === undefined && server.hasAsync) {
      await sleep(1);
      if (channel.words.load(channel.layout.serverLockWord) === 0) break;
    }
    forget();
  }
  assertEquals(found, [mask, mask, mask, mask, mask, mask, mask, OPCODE + 6, mask]);
  assertEquals(faults, [1, 3, 5, 7].map((offset) => OPCODE + offset));
});

/** A server for which each word of a header changes as soon as it was read, until `forget()`. */
function underChangingHeaders() {
  const channel = Channel.create({ portCount: 1, laneCount: 4 });
  const { words, layout } = channel;
  const seen = new Set<number>();
  const plain = new Proxy(words.plain, {
    get(target, key) {
      const word = Number(String(key)) - layout.headersWord;
      if (word >= 0 && word < 3 && seen.has(word)) return 0x1fff_ffff;
      seen.add(word);
      return Reflect.get(target, key, target);
    },
  });
  const changing: Words = new Proxy(words, {
    get(target, key) {
      if (key === "plain") return plain;
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const faults: number[] = [];
  const server = new Server(new Channel(layout, changing), {
    onFault: ({ opcode }) => faults.push(opcode),
  });
  return { channel, server, faults, forget: () => seen.clear() };
}
