import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { jsonCodec, v8Codec } from "../../call/codec.ts";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { functionOpcode } from "../server/function_table.ts";
import { connectObject } from "./connect_object.ts";
import { serveObjects, type ServeObjectsOptions } from "./serve_objects.ts";

const words = {
  count: (text: string) => text.split(" ").length,
  wait: async (text: string) => (await Promise.resolve(), text.length),
  fail: (): number => {
    throw new RangeError("too many words");
  },
};

/** Client and server of one thread, which serves on its event loop. */
class OneLoop implements AsyncDisposable {
  readonly channel = Channel.create({ portCount: 4, laneCount: 1 });
  readonly server = new Server(this.channel);
  readonly client = new Client(this.channel);
  readonly served;
  readonly #done;

  constructor(options: ServeObjectsOptions = {}) {
    this.served = serveObjects(this.server, { words }, options);
    this.#done = this.server.serveAsync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.channel.shutDown();
    await this.#done;
  }
}

Deno.test("serveObjects() answers calls with values, and brings errors whole", async () => {
  await using loop = new OneLoop();
  const remote = connectObject<typeof words>(loop.client, "words");
  assertEquals(await remote.count.async("a longer text than one packet ".repeat(50)), 301);
  const { cause } = await assertRejects(() => remote.fail.async(), CallError, "too many words");
  assertEquals((cause as Error).name, "RangeError");
  const wrong = connectObject<{ cuont(): void }>(loop.client, "words");
  await assertRejects(() => wrong.cuont.async(), CallError, "did you mean count");
  const absent = connectObject<typeof words>(loop.client, "wrods");
  await assertRejects(() => absent.count.async(""), CallError, "did you mean object words");
});

Deno.test("serveObjects() refuses a promise of a method, unless it is told of them", async () => {
  await using loop = new OneLoop();
  const remote = connectObject<typeof words>(loop.client, "words");
  await assertRejects(() => remote.wait.async("five!"), CallError, "a method");
  await using waiting = new OneLoop({ isAsync: true });
  const other = connectObject<typeof words>(waiting.client, "words");
  assertEquals(await other.wait.async("five!"), 5);
});

Deno.test("serveObjects() keeps codecs and limits, and names apart", async () => {
  await using loop = new OneLoop({ codec: v8Codec, limitBytes: 100 });
  const remote = connectObject<typeof words>(loop.client, "words", { codec: v8Codec });
  assertEquals(await remote.count.async("two words"), 2);
  await assertRejects(() => remote.count.async("x".repeat(200)), CallError, "limit is 100");
  const json = connectObject<typeof words>(loop.client, "words", { codec: jsonCodec });
  await assertRejects(
    () => json.count.async("two words"),
    CallError,
    'it is another here: object "words" by V8 serialisation, and for the caller object "words" by JSON',
  );
  assertThrows(() => serveObjects(loop.server, { words }), RangeError, "of that name");
  loop.served[Symbol.dispose]();
  serveObjects(loop.server, { words });
  assertEquals(await connectObject<typeof words>(loop.client, "words").count.async("one"), 1);
  assertThrows(() => serveObjects(loop.server, {}, { limitBytes: NaN }), RangeError);
  for (const value of [5, "text", null, undefined] as never[]) {
    const text = `Cannot serve value as it must be an object: current value is ${value}`;
    assertThrows(() => serveObjects(loop.server, { value }), TypeError, text);
  }
});

/** Two objects that are looked for at one opcode. */
function meetingNames(): readonly [string, string] {
  const names = new Map<number, string>();
  for (let index = 0;; index++) {
    const opcode = functionOpcode(`object o${index}`);
    const other = names.get(opcode);
    if (other !== undefined) return [other, `o${index}`];
    names.set(opcode, `o${index}`);
  }
}

Deno.test("connectObject() calls no other object that has come to the opcode, and finds its own anew", async () => {
  const [name, other] = meetingNames();
  await using loop = new OneLoop();
  const remote = connectObject<{ who(): string }>(loop.client, name);
  const serve = (name: string) => serveObjects(loop.server, { [name]: { who: () => name } });
  let served = serve(name);
  assertEquals(await remote.who.async(), name);
  served[Symbol.dispose]();
  const others = serve(other);
  await assertRejects(() => remote.who.async(), CallError, `Cannot serve object ${other}`);
  served = serve(name);
  assertEquals(await remote.who.async(), name);
  others[Symbol.dispose]();
  assertEquals(await remote.who.async(), name);
  served[Symbol.dispose]();
  await assertRejects(() => remote.who.async(), CallError, `no handler for it: object ${name}`);
  served = serve(name);
  assertEquals(await remote.who.async(), name);
});
