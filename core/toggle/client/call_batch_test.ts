import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { CallWork } from "../../memory/packet.ts";
import { SharedWords } from "../../memory/words.ts";
import { Status } from "../../memory/status.ts";
import { BY_WORDS, DESIGNS } from "../../testing/model/design_settings.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { channelLayout, ControlWord } from "../layout.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const [DOUBLE, REFUSE_ODD, NEVER, UNKNOWN] = [40_000, 40_001, 40_002, 40_003];
const EXAMPLE = new URL("../../services/example.ts", import.meta.url);
function skip(): void {}

/** Works that send their places, and what came back for each. */
function worksOf(count: number) {
  const answers: number[] = [];
  const works: CallWork[] = Array.from({ length: count }, (_, place) => ({
    fill: (packet) => packet.setUint32(0, 0, place),
    use: (packet) => void (answers[place] = packet.getUint32(0, 0)),
  }));
  return { answers, works };
}

function addServices(server: Server): void {
  server.operate(DOUBLE, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) * 2));
  server.operate(REFUSE_ODD, (packet) => {
    const value = packet.getUint32(0, 0);
    if (value % 2 === 1) throw new Error(`odd: ${value}, ${"longer than a packet ".repeat(20)}`);
  });
  server.operateAsync(NEVER, async (packet, { signal }) => {
    if (packet.getUint32(0, 0) !== 1) return;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
}

/** A server and a client on one event loop. */
async function together(design: object, use: (client: Client, channel: Channel) => Promise<void>) {
  const channel = Channel.create({ portCount: 5, laneCount: 1, ...design });
  const server = new Server(channel);
  addServices(server);
  const served = server.runAsync();
  try {
    await use(new Client(channel), channel);
  } finally {
    channel.shutDown();
    await served;
  }
}

function errorsOf(error: unknown): (Error | undefined)[] {
  assertInstanceOf(error, AggregateError);
  return error.errors;
}

for (const design of [...DESIGNS, BY_WORDS]) {
  Deno.test(`Client.callMany() makes each call, round by round, on ${JSON.stringify(design)}`, async () => {
    for (const portCount of [1, 5, 40]) {
      const { client, server } = oneThread({ portCount, laneCount: 1, ...design });
      addServices(server);
      for (const count of [0, 1, 3, 100]) {
        const { works, answers } = worksOf(count);
        const expected = works.map((_, place) => place * 2);
        client.callMany(DOUBLE, works);
        assertEquals(answers.splice(0), expected);
        await client.callManyAsync(DOUBLE, works);
        assertEquals(answers, expected);
      }
      assertEquals(server.runAll(), 0);
    }
  });
}

for (const waiter of ["adaptive", "spin", "spin-pause", "park"] as const satisfies WaiterName[]) {
  Deno.test(`Client.callMany() that waits by ${waiter} is answered by a server in a worker`, async () => {
    for (const design of [{}, BY_WORDS]) {
      const channel = Channel.create({ portCount: 3, laneCount: 1, ...design });
      await using server = await startServer(channel, { services: [EXAMPLE], waiter });
      const { works, answers } = worksOf(20);
      for (let round = 0; round < 5; round++) {
        answers.length = 0;
        new Client(channel, { waiter }).callMany(40_000, works);
        assertEquals(answers, works.map((_, place) => place + 1));
      }
      assert(server.serverId > 0);
    }
  });
}

Deno.test("Client.callMany() tells of each call that failed, in its place, and makes the others", async () => {
  for (const design of [{}, BY_WORDS]) {
    await together(design, async (client) => {
      const { works, answers } = worksOf(12);
      works[2] = { fill: () => JSON.parse("no"), use: skip };
      works[4] = { fill: works[4]!.fill, use: () => JSON.parse("no") };
      works[6] = { fill: (() => Promise.resolve()) as unknown as () => void, use: skip };
      const error = await assertRejects(() => client.callManyAsync(REFUSE_ODD, works));
      const errors = errorsOf(error);
      assertEquals(errors.map((one) => one?.name), [
        ...[undefined, "CallError", "SyntaxError", "CallError", "SyntaxError", "CallError"],
        ...["TypeError", "CallError", undefined, "CallError", undefined, "CallError"],
      ]);
      assertEquals(answers.flatMap((answer) => answer), [0, 8, 10]);
      const cause = errors[11]!.cause as Error;
      assertEquals(cause.message, `odd: 11, ${"longer than a packet ".repeat(20)}`);
      assertEquals((error as Error).cause, errors[1]);
      assert((error as Error).message.startsWith("Cannot finish 9 of 12 calls of opcode 40001: "));
      await client.callManyAsync(DOUBLE, works.slice(7));
    });
  }
});

Deno.test("Client.callMany() takes long errors of other calls while it waits for one", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const services = `data:text/javascript,${
    encodeURIComponent(`export function addServices(server) {
      server.operate(40000, (packet) => { throw new Error("x".repeat(500)); });
    }`)
  }`;
  await using server = await startServer(channel, { services: [new URL(services)] });
  const { works } = worksOf(12);
  // A server that waited for a client in vain would cut its error.
  for (const waiter of ["adaptive", "spin"] as const) {
    const client = new Client(channel, { waiter });
    const errors = errorsOf(assertThrows(() => client.callMany(40_000, works)));
    assertEquals(errors.map((one) => (one!.cause as Error).message.length), works.map(() => 500));
  }
  assert(server.serverId > 0);
});

Deno.test("Client.callMany() gives up what has no answer at the deadline or the signal, and no more", async () => {
  await together(BY_WORDS, async (client) => {
    const { works, answers } = worksOf(3);
    const aborting = new AbortController();
    const limits = [{ timeoutSeconds: 1 }, { signal: aborting.signal }];
    for (const [place, limit] of limits.entries()) {
      answers.length = 0;
      const calls = client.callManyAsync(NEVER, works, limit);
      calls.catch(() => {});
      while (Object.keys(answers).length < 2) await new Promise((resolve) => setTimeout(resolve));
      if (place === 1) aborting.abort(new Error("called off"));
      const error = await assertRejects(() => calls);
      const names = errorsOf(error).map((one) => one?.name);
      assertEquals(names, [undefined, ["TimeoutError", "Error"][place], undefined]);
      assertEquals(answers.flatMap((answer) => answer), [0, 2]);
    }
    await assertRejects(() => client.callManyAsync(NEVER, works, limits[1]), Error, "called off");
    await assertRejects(() => client.callManyAsync(-1, works), RangeError, "opcode");
  });
});

Deno.test("Client.callMany() tells each call that there is nobody", () => {
  for (const waiter of ["park", "spin"] as const) {
    const channel = Channel.create({ portCount: 2, laneCount: 1 });
    const client = new Client(channel, { waiter });
    const { works } = worksOf(5);
    const over = assertThrows(() => client.callMany(DOUBLE, works, { timeoutSeconds: 0.01 }));
    assertEquals(errorsOf(over).map((one) => one?.name), works.map(() => "TimeoutError"));
    channel.shutDown();
    const errors = errorsOf(assertThrows(() => client.callMany(DOUBLE, works)));
    assertEquals(
      errors.map((one) => one instanceof CallError && one.status),
      works.map(() => Status.serverGone),
    );
  }
});

Deno.test("Client.callMany() may be used in its callbacks while a port is left", () => {
  const { client, server } = oneThread({ portCount: 4, laneCount: 1 });
  addServices(server);
  const inner = worksOf(3);
  const { works, answers } = worksOf(3);
  works[1] = { ...works[1]!, use: () => client.callMany(DOUBLE, inner.works) };
  client.callMany(DOUBLE, works);
  assertEquals([answers[0], answers[2], ...inner.answers], [0, 4, 0, 2, 4]);
  const error = assertThrows(() => client.callMany(UNKNOWN, works.slice(0, 1)));
  assertEquals((errorsOf(error)[0] as CallError).status, Status.unhandledOpcode);
});

Deno.test("Client.callMany() takes one step for the locks and flips of a word, each way", () => {
  const layout = channelLayout({ portCount: 32, laneCount: 1, ...BY_WORDS });
  const steps: string[] = [];
  class StepWords extends SharedWords {
    override xor(word: number, bits: number): number {
      steps.push(word === layout.clientOutboxWord ? "send" : "answer");
      return super.xor(word, bits);
    }
    override or(word: number, bits: number): number {
      if (word === layout.clientLockWord) steps.push("lock");
      return super.or(word, bits);
    }
    override and(word: number, bits: number): number {
      if (word === layout.clientLockWord) steps.push("unlock");
      return super.and(word, bits);
    }
  }
  const words = new StepWords(new SharedArrayBuffer(layout.totalBytes));
  words.store(layout.controlWord + ControlWord.nextOwnerId, 1);
  const channel = new Channel(layout, words);
  const server = new Server(channel);
  server.operate(DOUBLE, (packet) => {
    if (packet.getUint32(0, 0) === 31) channel.raiseAttention();
  });
  const wait = () => void server.run();
  const client = new Client(channel, { waiter: { wait, waitAsync: () => Promise.reject() } });
  client.callMany(DOUBLE, worksOf(32).works);
  // The first port is looked for, the others are taken beside it.
  assertEquals(steps, ["lock", "lock", "send", "answer", "unlock"]);
});

Deno.test("Client.callMany() ends in time though answers come at once", async () => {
  for (const isAsync of [false, true]) {
    const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
    addServices(server);
    const aborting = new AbortController();
    const { works, answers } = worksOf(100);
    works[9] = { ...works[9]!, use: () => aborting.abort(new Error("called off")) };
    const error = isAsync
      ? await assertRejects(() => client.callManyAsync(DOUBLE, works, aborting))
      : assertThrows(() => client.callMany(DOUBLE, works, aborting));
    assertEquals(
      [errorsOf(error).filter((one) => one).length, answers.length],
      [89, 11],
      "one was sent beside it",
    );
  }
});

Deno.test("Client.callMany() ends with the error of a waiter that the user brought", async () => {
  for (const isAsync of [false, true]) {
    const channel = Channel.create({ portCount: 2, laneCount: 1 });
    let askCount = 0;
    const wait = () => {
      if (++askCount > 100) channel.shutDown();
      throw new SyntaxError("the waiter's own");
    };
    const waitAsync = () => Promise.try(wait);
    const client = new Client(channel, { waiter: { wait, waitAsync } });
    const { works } = worksOf(2);
    const error = isAsync
      ? await assertRejects(() => client.callManyAsync(DOUBLE, works))
      : assertThrows(() => client.callMany(DOUBLE, works));
    assertEquals(errorsOf(error).map((one) => one?.name), ["SyntaxError", "SyntaxError"]);
  }
});

Deno.test("Client.callMany() makes the calls that it was given, whatever becomes of the array", async () => {
  await together({ ...BY_WORDS, portCount: 2 }, async (client) => {
    const { works, answers } = worksOf(20);
    const all = client.callManyAsync(DOUBLE, works);
    works.length = 0;
    await all;
    assertEquals(answers, Array.from({ length: 20 }, (_, place) => place * 2));
  });
  const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
  addServices(server);
  const { works } = worksOf(6);
  works[1] = { ...works[1]!, use: () => void (works.length = 3) };
  const errors = errorsOf(assertThrows(() => client.callMany(DOUBLE, works)));
  assertEquals(errors.map((one) => one?.name), [...Array(3), ...Array(3).fill("TypeError")]);
  const ports = [client.tryOpen(DOUBLE), client.tryOpen(DOUBLE)];
  assert(ports.every((port) => port), "every port came back");
});

Deno.test("Client.callMany() tells of a failure whatever was thrown", () => {
  const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
  addServices(server);
  for (const thrown of [undefined, null, Symbol("sign"), Object.create(null)]) {
    const { works } = worksOf(2);
    const fill = () => {
      throw thrown;
    };
    const error = assertThrows(() => client.callMany(DOUBLE, [works[0]!, { fill, use: skip }]));
    const errors = errorsOf(error);
    assertEquals([errors.length, errors[0]], [2, undefined]);
    if (thrown !== undefined) assertEquals<unknown>(errors[1], thrown);
    else assertInstanceOf(errors[1], Error);
    assert((error as Error).message.startsWith("Cannot finish 1 of 2 calls of opcode 40000: "));
  }
});

Deno.test("Client.callManyAsync() and callAsync() let the event loop have its turns", async () => {
  for (const way of ["callManyAsync", "callAsync"] as const) {
    const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
    addServices(server);
    let endedCount = 0;
    let seenCount = -1;
    const use = () => {
      for (const end = performance.now() + 0.2; performance.now() < end;);
      endedCount++;
    };
    setTimeout(() => seenCount = endedCount);
    const works = Array.from({ length: 200 }, () => ({ fill: skip, use }));
    if (way === "callManyAsync") await client.callManyAsync(DOUBLE, works);
    else for (const work of works) await client.callAsync(DOUBLE, work);
    assert(seenCount >= 0 && seenCount < 200, `${way}: a timer came after ${seenCount} calls`);
  }
});
