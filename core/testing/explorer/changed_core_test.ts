import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { changedCore, changedTexts } from "./changed_core.ts";

const LAYOUT = "toggle/layout.ts";
const MAGIC = { place: `${LAYOUT} CHANNEL_MAGIC`, from: "0x504f5254", to: "77" };

Deno.test("changedCore() loads the core with the fault, and leaves the core as it is", async () => {
  const changed = await changedCore({ faults: [MAGIC] });
  const core = await changedCore({});
  assertEquals([changed.CHANNEL_MAGIC, core.CHANNEL_MAGIC], [77, 0x504f5254]);
});

Deno.test("changedCore() takes several faults of one file", async () => {
  const changed = await changedCore({ faults: [MAGIC, { ...MAGIC, from: "77", to: "3" }] });
  assertEquals(changed.CHANNEL_MAGIC, 3);
});

for (
  const [what, change, message] of [
    ["what is not there", { from: "no such text" }, "0 times CHANNEL_MAGIC says"],
    [
      "what is there twice",
      { place: `${LAYOUT} ChannelLayout`, from: "readonly" },
      "times ChannelLayout says",
    ],
    [
      "a declaration that is not there",
      { place: `${LAYOUT} nowhere` },
      "nothing is called nowhere",
    ],
    ["a file that is not there", { place: "toggle/nowhere.ts A" }, "there is no such file"],
  ] as const
) {
  Deno.test(`changedCore() rejects a change of ${what}`, async () => {
    await assertRejects(() => changedCore({ faults: [{ ...MAGIC, ...change }] }), Error, message);
  });
}

const CLASS = `class A {
  #at = 0;
  readonly #known = new Set();
  // this.#at = 9; and how it goes on: b();
  async step(/* how */ much: number) {
    /* first */ this.#at /* here */ += much; // b();
    await this.f(1,
      2,
    );
    this.#at++;
  }
}`;
const FILE = { place: "a.ts A.step" };

function changed(change: Parameters<typeof changedTexts>[1]): string {
  const text = changedTexts(new Map([["a.ts", CLASS]]), change).get("a.ts")!;
  return text.replaceAll(/\s+/g, " ").replaceAll("globalThis.portlabModel.", "model.");
}

Deno.test("a fault finds its place whatever comments and layout are there", () => {
  const text = changed({
    faults: [{ ...FILE, from: "this.#at += much; await this.f(1, 2);", to: "c();" }],
  });
  assertEquals(text.includes("{ /* first */ c(); this.#at++; }"), true, text);
});

Deno.test("a look adds calls, and leaves out nothing", () => {
  const text = changed({
    looks: [
      { ...FILE, at: "await this.f(", call: "turn(much)" },
      { field: "a.ts A.#at" },
      { field: "a.ts A.#known" },
    ],
  });
  const parts = [
    'readonly #known = model.remember("A.#known", (new Set()));',
    'model.remember("A.#at", (this.#at /* here */ += much, this.#at));',
    "model.turn(much); await this.f(",
    'model.remember("A.#at", (this.#at++, this.#at));',
  ];
  assertEquals(parts.filter((part) => !text.includes(part)), [], text);
});

Deno.test("a look is rejected where no statement begins so", () => {
  const look = { ...FILE, at: "this.f(1", call: "turn(1)" };
  assertThrows(() => changed({ looks: [look] }), Error, "0 times a statement begins with");
});

Deno.test("isSynchronous leaves out async and await", () => {
  const text = changed({ isSynchronous: true });
  assertEquals([text.includes("async"), text.includes("await"), text.includes("this.f(1")], [
    false,
    false,
    true,
  ]);
});
