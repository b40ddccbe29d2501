/** What a guest may do to its channel, whose memory it can write as it likes by a flaw of V8's. */
import { assert, assertEquals } from "@std/assert";
import { NO_REPLY } from "../../memory/port_headers.ts";
import { connectApi } from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { ChannelState, ControlWord } from "../../toggle/layout.ts";
import { allow } from "./policy.ts";
import { guard } from "./testdata/gated.ts";
import { names } from "./testdata/guests.ts";

const { layout } = Channel.create({ portCount: 4, laneCount: 1, laneBytes: 8192 });
const STATE = layout.controlWord + ControlWord.state;
const BELL = layout.controlWord + ControlWord.bell;

/** A channel of a guest's, its server behind a gate, and the log. */
function serve() {
  const channel = Channel.create(layout);
  const { gate, server, lines } = guard(channel, { policy: [allow("names.of")] });
  gate.serve(names, { of: (name) => name.toUpperCase() });
  const served = server.runAsync().catch(() => {});
  const { of } = connectApi(new Client(channel), names);
  return { channel, lines, of, end: () => (channel.shutDown(), served) };
}

/** A thread that has the words of a channel, and works on them. */
function vandal(
  channel: Channel,
  work: string,
): { readonly done: Promise<unknown>; readonly end: () => void } {
  const code = `onmessage = ({ data: [buffer, layout, stop] }) => {
    const words = new Int32Array(buffer);
    let seed = 1;
    const random = (below) => (seed = seed * 48271 % 0x7fffffff) % below;
    ${work}
    postMessage(0);
  };`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
  const done = new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage([channel.handle.buffer, layout, STOP]);
  return { done, end: () => worker.terminate() };
}

const STOP = new Int32Array(new SharedArrayBuffer(4));

/** What a guest does to its words, over and over for a while. */
const VANDALS: Readonly<Record<string, string>> = {
  "clears everything": `words.fill(0);`,
  "sets everything": `words.fill(-1);`,
  "writes anything anywhere": `words[random(words.length)] = random(2 ** 31) * 2;`,
  "writes small numbers anywhere": `words[random(words.length)] = random(5);`,
  "stops the channel": `words[${STATE}] = ${ChannelState.stopped};`,
  "ends the channel": `words[${STATE}] = ${ChannelState.stopping};`,
  "raises attention again and again": `words[${STATE}] = (words[${STATE}] + 4) & ~3;`,
  "counts up every word but the state": `
    for (let word = 33; word < words.length; word++) Atomics.add(words, word, 1);`,
  "rings every bell": `
    Atomics.add(words, ${BELL}, 1);
    Atomics.notify(words, ${BELL});`,
  "toggles every port": `
    for (let port = 0; port < layout.portCount; port++) {
      words[layout.clientOutboxWord + layout.mailboxStride * port] ^= 1;
      words[layout.headersWord + layout.headerStride * port + 2] = random(2 ** 31);
    }
    words[layout.hintWord] = -1;`,
};

async function vandalize(work: string): Promise<void> {
  const [other, mine] = [serve(), serve()];
  const { done, end } = vandal(
    mine.channel,
    `for (let turn = 0; turn < 20000; turn++) { ${work} }`,
  );
  for (let turn = 0; turn < 20; turn++) {
    assertEquals(await other.of.async("b"), "B");
    await new Promise((resolve) => setTimeout(resolve, 0)); // the event loop goes round
  }
  await done;
  end();
  assertEquals(await other.of.async("c"), "C");
  await Promise.all([mine.end(), other.end()]);
}

for (const [name, work] of Object.entries(VANDALS)) {
  Deno.test(`a guest that ${name} harms nobody but itself`, () => vandalize(work));
}

Deno.test("a guest that raises attention until the host says stop leaves the event loop its turns", async () => {
  const mine = serve();
  const { done, end } = vandal(
    mine.channel,
    `
    while (Atomics.load(stop, 0) === 0) words[${STATE}] = (words[${STATE}] + 4) & ~3;`,
  );
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  Atomics.store(STOP, 0, 1);
  await done;
  end();
  await mine.end();
});

Deno.test("calls that a guest writes by hand reach nothing that it may not call", async () => {
  const mine = serve();
  for (const opcode of [0, 1, 2, 3, 5, 0x3fff, 0x7fff, 0x8000, 0xffff]) {
    const { done, end } = vandal(
      mine.channel,
      `
      const port = 3; // not used by calls one after the other
      const header = layout.headersWord + layout.headerStride * port;
      words.set([1, 0, ${opcode} | ${NO_REPLY}, 0], header);
      words[layout.clientLockWord + port] = 1;
      words[layout.clientOutboxWord + layout.mailboxStride * port] ^= 1;
      words[layout.hintWord] = -1;
      Atomics.add(words, ${BELL}, 1);
      Atomics.notify(words, ${BELL});`,
    );
    await done;
    const isLogged = () => mine.lines.some((line) => line.includes(`"call":"opcode ${opcode}"`));
    while (!isLogged()) await new Promise((resolve) => setTimeout(resolve, 1));
    end();
  }
  const calls = mine.lines.map((line) => JSON.parse(line)).filter(({ call }) =>
    call.startsWith("opcode")
  );
  assertEquals(calls.length, 9);
  assert(calls.every(({ verdict }) => verdict === "refuse"));
  await mine.end();
});
