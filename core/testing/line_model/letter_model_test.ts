import { assert, assertEquals } from "@std/assert";
import type { SourceFault } from "../explorer/changed_core.ts";
import { exploreAll } from "../explorer/explorer.ts";
import { letterCore, letterModel, type LetterPlan } from "./letter_model.ts";

const LIMIT = { stateCountMax: 400_000, mustEnd: true };

const PLANS: readonly LetterPlan[] = [
  { calls: ["letter"] },
  { calls: ["letter", "letter"] },
  { calls: ["long answer", "letter"] },
  { calls: ["ring", "letter"] },
  { calls: ["letter", "ring"] },
  { calls: ["async", "letter"] },
  { calls: ["async", "ring"] },
  { calls: ["letter"], endsAnytime: true },
  { calls: ["long answer"], endsAnytime: true },
];

for (const plan of PLANS) {
  Deno.test(`letter model: ${JSON.stringify(plan)}`, async () => {
    const { violation, stateCount } = exploreAll(letterModel(await letterCore(), plan), LIMIT);
    assertEquals(violation, undefined);
    assert(stateCount > 50, `only ${stateCount} states were visited`);
  });
}

/** A defect that is easily made, and a small plan in which it shows. */
interface PlantedLetterFault extends SourceFault, LetterPlan {
  readonly name: string;
}

const CALLS = "connect/call_end.ts CallEnd";
const SERVER = "connect/call_server.ts CallServer";
const MAIL = "connect/line/mail.ts";

const FAULTS: readonly PlantedLetterFault[] = [
  {
    name: "the number is there before the values",
    calls: ["letter"],
    place: `${MAIL} LetterWriter.put`,
    from: "const { length } = values;",
    to:
      "const { length } = values; this.#words.store(this.#first, this.#words.load(this.#first) + 1);",
  },
  {
    name: "the number of an answer is there before its value",
    calls: ["letter"],
    place: `${MAIL} LetterWriter.putOne`,
    from: "this.#at = this.#first + FIRST;",
    to:
      "this.#at = this.#first + FIRST; this.#words.store(this.#first, this.#words.load(this.#first) + 1);",
  },
  {
    name: "a letter is written while a call is under way",
    calls: ["async", "letter"],
    place: `${CALLS}.#isAlone`,
    from: "this.#waiting.size === 0 && this.#late.size === 0",
    to: "true",
  },
  {
    name: "an answer of any other number is taken",
    calls: ["long answer", "letter"],
    place: `${MAIL} LetterCaller.hasReply`,
    from: "this.#reply.watch(this.#number, polls)",
    to: "!this.#reply.watch(this.#number - 1, polls)",
  },
  {
    name: "what comes through the ring is served before the letter that was written before it",
    calls: ["async", "ring"],
    place: `${CALLS}.#receive`,
    from: "if (!this.#isClient) this.#server.serveLetter();",
  },
  {
    name: "the bell is rung before the letter is there",
    calls: ["letter"],
    place: `${MAIL} LetterCaller.send`,
    from: "this.#letter.send(this.#number); this.#bell.ring();",
    to: "this.#bell.ring(); this.#letter.send(this.#number);",
  },
  {
    name: "nobody rings for a letter",
    calls: ["letter"],
    place: `${MAIL} LetterCaller.send`,
    from: "this.#bell.ring();",
  },
  {
    name: "the bell is rung before the answer is there",
    calls: ["letter"],
    place: `${SERVER}.#sendReply`,
    from: "this.#reply.send(this.#nextLetter - 1 | 0); this.#clientBell.ring();",
    to: "this.#clientBell.ring(); this.#reply.send(this.#nextLetter - 1 | 0);",
  },
  {
    name: "an end in the middle wakes one side",
    calls: ["letter"],
    endsAnytime: true,
    place: "connect/line/line.ts Line.end",
    from: 'this.bellOf("client").wakeAll();',
  },
];

Deno.test("letter model: its boundaries leave nothing local out", async () => {
  const model = letterModel(await letterCore(), { calls: ["letter"] });
  assertEquals(exploreAll(model, { ...LIMIT, checksBoundaries: true }).violation, undefined);
});

for (const fault of FAULTS) {
  Deno.test(`letter model: finds that ${fault.name}`, async () => {
    const { violation } = exploreAll(letterModel(await letterCore([fault]), fault), LIMIT);
    assert(violation, "the planted fault was not found");
  });
}
