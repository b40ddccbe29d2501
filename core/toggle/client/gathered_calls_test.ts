import { assert, assertEquals, assertRejects } from "@std/assert";
import type { CallWork } from "../../memory/packet.ts";
import { SharedWords } from "../../memory/words.ts";
import { BY_WORDS } from "../../testing/model/design_settings.ts";
import { Channel } from "../channel.ts";
import { channelLayout, ControlWord } from "../layout.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const [INCREMENT, FAILS] = [40_000, 40_001];

function workOf(value: number, answers: number[]): CallWork {
  return {
    fill: (packet) => packet.setUint32(0, 0, value),
    use: (packet) => void answers.push(packet.getUint32(0, 0)),
  };
}

/** Words that count the flips of clients, and looks for sleeping servers. */
function scene(portCount: number) {
  const layout = channelLayout({ portCount, laneCount: 1, ...BY_WORDS });
  const counts = { flips: 0, rings: 0 };
  class CountedWords extends SharedWords {
    override xor(word: number, bits: number): number {
      if (word === layout.clientOutboxWord) counts.flips++;
      return super.xor(word, bits);
    }
    override load(word: number): number {
      if (word === layout.controlWord + ControlWord.sleepers) counts.rings++;
      return super.load(word);
    }
  }
  const words = new CountedWords(new SharedArrayBuffer(layout.totalBytes));
  words.store(layout.controlWord + ControlWord.nextOwnerId, 1);
  const channel = new Channel(layout, words);
  const server = new Server(channel);
  server.operate(INCREMENT, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  server.operate(FAILS, () => {
    throw new Error("longer than a packet ".repeat(20));
  });
  return { channel, client: new Client(channel), server, counts };
}

Deno.test("Client.callAsync() sends the calls of a turn together, when it ends", async () => {
  const { client, server, counts, channel } = scene(8);
  const answers: number[] = [];
  const calls = [1, 2, 3].map((value) => client.callAsync(INCREMENT, workOf(value, answers)));
  assertEquals(server.runAll(), 0);
  await undefined;
  await undefined;
  assertEquals(counts, { flips: 1, rings: 1 });
  const served = server.runAsync();
  await Promise.all(calls);
  assertEquals(answers.toSorted(), [2, 3, 4]);
  const error = await assertRejects(() => client.callAsync(FAILS, workOf(1, answers)), Error);
  assertEquals((error.cause as Error).message.length, 420);
  const fails = { fill: () => JSON.parse("no"), use() {} };
  await assertRejects(() => client.callAsync(INCREMENT, fails), SyntaxError);
  const promise = { fill: (() => Promise.resolve()) as unknown as () => void, use() {} };
  await assertRejects(() => client.callAsync(INCREMENT, promise), TypeError, "promise");
  channel.shutDown();
  await served;
});

Deno.test("Client.callAsync() sends at once where that costs no more", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const server = new Server(channel);
  server.operate(INCREMENT, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  const answers: number[] = [];
  const calls = [1, 2].map((value) =>
    new Client(channel).callAsync(INCREMENT, workOf(value, answers))
  );
  assertEquals(server.runAll(), 2);
  await Promise.all(calls);
  assertEquals(answers, [2, 3]);
});

Deno.test("Client.callAsync() goes round all that wait for a port, first come, first served", async () => {
  const { client, server, channel } = scene(4);
  const served = server.runAsync();
  const answers: number[] = [];
  const values = Array.from({ length: 500 }, (_, value) => value);
  const [, last] = [
    await Promise.all(values.map((value) => client.callAsync(INCREMENT, workOf(value, answers)))),
    answers.at(-1)!,
  ];
  assertEquals(answers.toSorted((one, other) => one - other), values.map((value) => value + 1));
  assert(last > 490, "nobody was overtaken by a round");
  channel.shutDown();
  await served;
});

Deno.test("Client.callAsync() that is called off in line leaves it, and the others go on", async () => {
  const { client, server, channel } = scene(1);
  const answers: number[] = [];
  const aborting = new AbortController();
  const calls = [1, 2, 3, 4].map((value) => {
    const options = value === 2 ? { timeoutSeconds: 0.01 } : value === 3 ? aborting : {};
    return client.callAsync(INCREMENT, workOf(value, answers), options);
  });
  const rest = Promise.allSettled(calls);
  await assertRejects(() => calls[1]!, DOMException, "Cannot open a port within 0.01 s");
  aborting.abort(new Error("called off"));
  await assertRejects(() => calls[2]!, Error, "called off");
  const served = server.runAsync();
  await rest;
  assertEquals(answers, [2, 5]);
  channel.shutDown();
  await served;
});
