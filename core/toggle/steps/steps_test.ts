import { assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { Channel } from "../channel.ts";
import type { ChannelHandle } from "../channel_handle.ts";
import type { ChannelShape } from "../layout.ts";
import { ClientSide } from "../client/client_side.ts";
import { ServerSide } from "../server/server_side.ts";
import { WorkSearch } from "../server/work_search.ts";
import { Answered } from "./steps.ts";

/** The same memory twice: one that WebAssembly knows, and one that it does not. */
function twins(shape: ChannelShape) {
  const { handle } = Channel.create(shape);
  const buffer = new SharedArrayBuffer(handle.buffer.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(handle.buffer));
  const { memory: _, ...rest } = handle;
  return [handle, { ...rest, buffer }].map((one: ChannelHandle) => {
    const channel = Channel.attach(one);
    const client = new ClientSide(channel, "spin");
    const [server, other] = [1, 2].map(() =>
      new ServerSide(channel, { waiter: "spin", clientTimeoutSeconds: 5 })
    ) as [ServerSide, ServerSide];
    const searches = [server, server, other].map((side) => ({
      side,
      search: new WorkSearch(side),
    }));
    return { channel, client, server, searches };
  });
}
type Twin = ReturnType<typeof twins>[number];

const PORT_COUNT_MAX = 1100;
const BIT = fc.integer({ min: 0, max: 1 });
/** What the other side writes, which may be anything. */
const FOREIGN = fc.constantFrom(0, 1, 0, 1, 0, 1, 2, 3, -1, 1 << 31);
/** Ports in and beside whole fours, groups and words of hints. */
const PORT_COUNTS = [1, 3, 5, 31, 32, 33, 64, 65, 1000, PORT_COUNT_MAX] as const;
const DESIGNS = [
  { discovery: "hint" },
  { discovery: "scan" },
  { wire: "llvm" },
  { mailboxWidth: "padded", discovery: "scan" },
  { mailboxWidth: "beside" },
  { mailboxWidth: "beside", discovery: "scan" },
] as const;
/** Mostly nobody's; else of some id, with or without marks. */
const LOCK = fc.constantFrom(0, 0, 0, 1, 2, 3, 1 << 30 | 1, 1 << 29 | 2);
/** What the words of a port hold: whatever the other side may have written. */
const PORT = fc.record({
  index: fc.oneof(fc.nat(40), fc.nat(PORT_COUNT_MAX - 1)),
  clientOutbox: FOREIGN,
  serverOutbox: FOREIGN,
  clientTurn: BIT,
  serverTurn: BIT,
  clientLock: LOCK,
  serverLock: LOCK,
  isParked: BIT,
  status: BIT,
});

type PortWords = typeof PORT extends fc.Arbitrary<infer Words> ? Words : never;

function put(
  { channel: { words, layout } }: Twin,
  ports: readonly PortWords[],
  hints: readonly number[],
): void {
  hints.slice(0, layout.hintWordCount).forEach((bits, word) => {
    words.store(layout.hintWord + word, bits);
  });
  for (const { index: place, ...port } of ports) {
    const index = place % layout.portCount;
    words.store(layout.clientOutboxWord + layout.mailboxStride * index, port.clientOutbox);
    words.store(layout.clientTurnWord + index, port.clientTurn);
    words.store(layout.serverOutboxWord + layout.mailboxStride * index, port.serverOutbox);
    words.store(layout.serverTurnWord + index, port.serverTurn);
    words.store(layout.clientLockWord + index, port.clientLock);
    words.store(layout.serverLockWord + index, port.serverLock);
    words.store(layout.clientParkedWord + index, port.isParked);
    words.store(layout.headersWord + layout.headerStride * index + 3, port.status);
  }
}

/** What each step is asked, and what it says. */
const STEPS: Readonly<Record<string, (twin: Twin, index: number) => unknown>> = {
  "a client's claim": ({ client }, index) => client.steps.claim(index),
  "a server's claim": ({ server }, index) => server.steps.claim(index),
  "a release": ({ client }, index) => client.unlock(index),
  "a call": ({ client, channel: { words, layout } }, index) => {
    const inbox = layout.serverOutboxWord + layout.mailboxStride * index;
    const isAnswered = words.load(inbox) >>> 0 < 2 &&
      !client.mailboxes.owns(index);
    const answered = client.steps.call(index, 1);
    if (!isAnswered) return;
    // The other side has flipped before, so to speak: the answer is here at once.
    const head = { opcode: 40_000, mask: { lo: 1, hi: 0 }, deadline: undefined };
    return answered === Answered.good || client.awaitAnswer(answered, index, head);
  },
  "searches": ({ searches }) =>
    Array.from({ length: 40 }, (_, count) => {
      const { search, side } = searches[count % 3]!;
      const index = search.tryClaim(2);
      // What is returned at once has work still, before the place where the next search begins.
      if (index >= 0 && count % 4 > 0) side.unlock(index);
      return index;
    }),
  "an answer": ({ server }, index) => server.handBack(index),
};

for (const [name, step] of Object.entries(STEPS)) {
  Deno.test(`Steps: ${name} does what the mailboxes and locks do, in any memory`, () => {
    const arguments_ = [
      fc.constantFrom(...PORT_COUNTS),
      fc.array(PORT, { minLength: 1, maxLength: 60 }),
      fc.array(fc.constantFrom(0, -1, 1, 1 << 31, 0x12345678), { minLength: 16, maxLength: 16 }),
      fc.nat(PORT_COUNT_MAX - 1),
      fc.constantFrom(...DESIGNS),
    ] as const;
    fc.assert(
      fc.property(...arguments_, (portCount, ports, hints, place, design) => {
        const index = (ports[place % ports.length]?.index ?? 0) % portCount;
        const both = twins({ portCount, laneCount: 1, ...design });
        for (const twin of both) put(twin, ports, hints);
        const [inSteps, asDesigned] = both.map((twin) => step(twin, index));
        assertEquals(inSteps, asDesigned);
        const [one, other] = both.map(({ channel }) => channel.words.plain);
        assertEquals(one, other);
      }),
      { numRuns: 300, seed: 1 },
    );
  });
}

/** A server in a worker, and 1000 calls, whatever there is of WebAssembly. */
const CALLS = `
import { Channel, Client, startServer } from "${new URL("../../mod.ts", import.meta.url)}";
const services = [new URL("data:text/javascript," + encodeURIComponent(
  "export function addServices(server) { server.operate(40000, (packet) => { packet.uint32[0] += 1; }); }"))];
for (const shape of [{ portCount: 1, laneCount: 1 }, { portCount: 1, laneCount: 1, portLock: "held" }]) {
  const channel = Channel.create(shape);
  await using _server = await startServer(channel, { services });
  const client = new Client(channel);
  let value = 0;
  for (let call = 0; call < 1000; call++) {
    client.call(40000, {
      fill: (packet) => { packet.uint32[0] = call; },
      use: (packet) => { value += packet.uint32[0] - call; },
    });
  }
  console.log(shape.portLock ?? "owner", channel.handle.memory ? "with" : "without", value);
}
`;

for (
  const [name, flags, before, expected] of [
    ["there is no WebAssembly", ["--v8-flags=--jitless"], "", "owner without 1000"],
    [
      "no module may be compiled",
      [],
      'WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("policy"); } };',
      "owner with 1000",
    ],
    [
      "there is no room for memory",
      [],
      'WebAssembly.Memory = class { constructor() { throw new RangeError("room"); } };',
      "owner without 1000",
    ],
  ] as const
) {
  Deno.test(`Steps: calls are made where ${name}`, async () => {
    const program = await Deno.makeTempFile({ suffix: ".mjs" });
    await Deno.writeTextFile(program, before + CALLS);
    const config = new URL("../../../deno.json", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", `--config=${config}`, ...flags, program],
    }).output();
    await Deno.remove(program);
    const text = new TextDecoder().decode(stdout);
    assertStringIncludes(text + new TextDecoder().decode(stderr), expected);
    assertStringIncludes(text, "held");
  });
}
