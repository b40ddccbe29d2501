/** What a guest may do to its channels, whose memory it can write as it likes. */
import { assert, assertEquals } from "@std/assert";
import { NO_REPLY } from "../../memory/port_headers.ts";
import { type ApiServer, fn, hostApi, string } from "../../signature/mod.ts";
import { Channel } from "../../toggle/channel.ts";
import { type ChannelLayout, ChannelState, ControlWord } from "../../toggle/layout.ts";
import { allow } from "./policy.ts";
import { type Sandbox, startSandbox } from "./sandbox.ts";
import { guestUrl } from "./testdata/guest_url.ts";
import { isolation } from "./testdata/names_options.ts";

const names = hostApi("names", { of: fn([string], string) });
/** Of the channel for its calls, and of the one by which its worker answers. */
const LAYOUTS = [{ portCount: 4, laneCount: 1, laneBytes: 8192 }, { portCount: 1, laneCount: 64 }]
  .map((shape) => Channel.create(shape).layout);
const [layout] = LAYOUTS as [ChannelLayout];
const STATE = layout.controlWord + ControlWord.state;
const BELL = layout.controlWord + ControlWord.bell;

/** What a guest needs to take a channel's memory from the test, as it would by a flaw of V8's. */
const STEAL = `
  let words, layout;
  const { load } = Atomics;
  exports.steal = (...given) => { [words, layout] = given; };
  let seed = 1;
  const random = (below) => (seed = seed * 48271 % 0x7fffffff) % below;`;

async function start(
  script: string,
  { lines = [] as string[], stolen = 0 } = {},
): Promise<Sandbox> {
  const { Memory } = WebAssembly;
  const buffers: ArrayBufferLike[] = [];
  WebAssembly.Memory = class extends Memory {
    constructor(size: WebAssembly.MemoryDescriptor) {
      super(size);
      buffers.push(this.buffer);
    }
  };
  const sandbox = await startSandbox(guestUrl(`exports.steal = () => {};${script}`), {
    serve: (server: ApiServer) => void server.serve(names, { of: (name) => name.toUpperCase() }),
    policy: [allow("names.of")],
    audit: (line) => void lines.push(line),
    isolation,
  }).finally(() => WebAssembly.Memory = Memory);
  assertEquals(buffers.length, LAYOUTS.length);
  await sandbox.call("steal", new Int32Array(buffers[stolen]!), LAYOUTS[stolen]);
  return sandbox;
}

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
      words[layout.clientOutboxWord + port] ^= 1;
      words[layout.headersWord + 4 * port + 2] = random(2 ** 31);
    }
    words[layout.hintWord] = -1;`,
};

async function vandalize(work: string, stolen: number): Promise<void> {
  await using other = await start(`exports.ask = (name) => host.names.of(name);`);
  const vandal = await start(
    `${STEAL}
      exports.work = () => { for (let turn = 0; turn < 20000; turn++) { ${work} } };`,
    { stolen },
  );
  const worked = vandal.call("work").catch(() => {});
  for (let turn = 0; turn < 20; turn++) {
    assertEquals(await other.call("ask", "b"), "B");
    await new Promise((resolve) => setTimeout(resolve, 0)); // the event loop goes round
  }
  await vandal.terminate({ timeoutSeconds: 0.05 });
  await worked;
  assertEquals(await other.call("ask", "c"), "C");
}

for (const [name, work] of Object.entries(VANDALS)) {
  Deno.test(`a guest that ${name} harms nobody but itself`, () => vandalize(work, 0));
  Deno.test(`a guest that ${name} in its answers harms nobody but itself`, () =>
    vandalize(work, 1));
}

Deno.test("a guest that raises attention until the host says stop leaves the event loop its turns", async () => {
  const vandal = await start(`${STEAL}
    exports.work = (stop) => { while (load(stop, 0) === 0) words[${STATE}] = (words[${STATE}] + 4) & ~3; };`);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worked = vandal.call("work", stop);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  Atomics.store(stop, 0, 1);
  await worked;
  assertEquals(await vandal.terminate(), true);
});

Deno.test("calls that a guest writes by hand reach nothing that it may not call", async () => {
  const lines: string[] = [];
  const opcodes = [0, 1, 2, 3, 5, 0x3fff, 0x7fff, 0x8000, 0xffff];
  await using sandbox = await start(
    `${STEAL}
    exports.forge = (opcode) => {
      const port = 3; // not used by calls one after the other
      words.set([1, 0, opcode | ${NO_REPLY}, 0], layout.headersWord + 4 * port);
      words[layout.clientLockWord + port] = 1;
      words[layout.clientOutboxWord + port] ^= 1;
      words[layout.hintWord] = -1;
      Atomics.add(words, ${BELL}, 1);
      Atomics.notify(words, ${BELL});
    };`,
    { lines },
  );
  for (const opcode of opcodes) {
    await sandbox.call("forge", opcode);
    const isLogged = () => lines.some((line) => line.includes(`"call":"opcode ${opcode}"`));
    while (!isLogged()) await sandbox.call("none").catch(() => {});
  }
  const calls = lines.map((line) => JSON.parse(line)).filter(({ call }) =>
    call.startsWith("opcode")
  );
  assertEquals(calls.length, opcodes.length);
  assert(calls.every(({ verdict }) => verdict === "refuse"));
});
