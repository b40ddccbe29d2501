import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { foundIn, loadCases } from "./marked_source.ts";
import { ToyOracle } from "./toy_oracle.ts";
import { type Toy, type ToyName, type ToyProgram, ToyText } from "./toy_program.ts";

const HELPER_COUNT = 2;

interface Around {
  readonly hasLoop: boolean;
  /** Whether `break` ends something here. */
  readonly hasBreak: boolean;
  readonly hasScope: boolean;
  readonly depth: number;
}

/** Statements that stand in a loop, in a block with its own port, or in neither. */
function statements(around: Around): fc.Arbitrary<readonly Toy[]> {
  return fc.array(statement(around), { maxLength: around.depth > 0 ? 4 : 2 });
}

function statement(around: Around): fc.Arbitrary<Toy> {
  const names: readonly ToyName[] = around.hasScope ? ["p", "q", "r"] : ["p", "q"];
  const name = fc.constantFrom(...names);
  const variable = fc.constantFrom<ToyName>("p", "q");
  const onName = fc.record({ act: fc.constantFrom("use", "close", "dispose"), name });
  const onVariable = fc.record({
    act: fc.constantFrom("open", "exchange", "clear"),
    name: variable,
  });
  const give = fc.record({ act: fc.constant("give"), name: variable, from: name })
    .filter((one) => one.name !== one.from);
  const jumps = [...(around.hasLoop ? ["continue"] : []), ...(around.hasBreak ? ["break"] : [])];
  const exits = [...jumps, "return", "throw"];
  const exit = fc.record({ act: fc.constantFrom(...exits) });
  const call = fc.record({ act: fc.constant("call"), helper: fc.nat({ max: HELPER_COUNT - 1 }) });
  const simple = [onName, onName, onVariable, give, exit, call] as readonly fc.Arbitrary<unknown>[];
  const all = around.depth > 0 ? [...simple, ...compound(around)] : simple;
  return fc.oneof(...all) as fc.Arbitrary<Toy>;
}

function compound(around: Around): readonly fc.Arbitrary<unknown>[] {
  const inner = { ...around, depth: around.depth - 1 };
  const body = statements(inner);
  const inLoop = statements({ ...inner, hasLoop: true, hasBreak: true });
  const perhaps = fc.option(body, { nil: undefined });
  return [
    fc.record({ act: fc.constant("if"), yes: body, no: body }),
    fc.record({ act: fc.constant("loop"), isEndless: fc.boolean(), body: inLoop }),
    fc.record({ act: fc.constant("try"), body, handler: perhaps, finalizer: perhaps })
      .filter(({ handler, finalizer }) => handler !== undefined || finalizer !== undefined),
    ...(around.hasScope ? [] : [
      fc.record({
        act: fc.constant("scope"),
        isUsing: fc.boolean(),
        body: statements({ ...inner, hasScope: true }),
      }),
    ]),
    fc.record({
      act: fc.constant("switch"),
      cases: fc.array(statements({ ...inner, hasBreak: true }), { minLength: 1, maxLength: 3 }),
    }),
  ];
}

const outside: Around = { hasLoop: false, hasBreak: false, hasScope: false, depth: 3 };
const program: fc.Arbitrary<ToyProgram> = fc.record({
  main: statements(outside),
  helpers: fc.array(statements({ ...outside, depth: 1 }), {
    minLength: HELPER_COUNT,
    maxLength: HELPER_COUNT,
  }),
});

/** What the truth is, as `line rule`; a leak has no line, because many places may be named. */
function truth(toys: ToyProgram, text: ToyText): readonly string[] {
  const oracle = new ToyOracle(toys);
  const faults = [...oracle.faults].flatMap(([toy, rules]) =>
    [...rules].map((rule) => `${text.lineOf.get(toy)} ${rule}`)
  );
  return [...faults, ...(oracle.hasLeak ? ["leak"] : [])].toSorted();
}

function sourceOf({ lines }: ToyText): string {
  return lines.join("\n");
}

function verdict(text: ToyText): readonly string[] {
  const found = foundIn(sourceOf(text)).map((one) =>
    one.endsWith(" unconsumed-port") ? "leak" : one
  );
  return [...new Set(found)].toSorted();
}

Deno.test("lint: random programs are judged as an interpreter of all their paths judges them", () => {
  const runs = Number(Deno.env.get("TOY_RUNS") ?? 300);
  const some = fc.array(program, { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(some, (programs) => {
      const texts = programs.map((toys) => new ToyText(toys));
      loadCases(texts.map(sourceOf));
      for (const [index, text] of texts.entries()) {
        assertEquals(verdict(text), truth(programs[index]!, text), `\n${sourceOf(text)}`);
      }
    }),
    { numRuns: Math.ceil(runs / 20) },
  );
});
