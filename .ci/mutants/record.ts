import type { MutantKey } from "./edits/mutation.ts";
import { type Equivalent, Equivalents, idOf } from "./equivalents.ts";
import { report } from "./report.ts";
import type { Result, Results } from "./results.ts";
import { listChanged, listMutants, roomOf, ROOT } from "./tree.ts";

/** How many changes of a room came to what, when they were looked at first. */
export interface Counts {
  readonly killed: number;
  readonly survived: number;
  readonly equivalent: number;
  readonly refused: number;
}

/** What is committed: counts of samples, and the changes that no test notices yet. */
export interface Record {
  readonly samples: readonly {
    readonly name: string;
    readonly rooms: Readonly<{ [room: string]: Counts }>;
  }[];
  readonly survivors: readonly MutantKey[];
}

const RECORD = `${ROOT}.ci/mutants/record.json`;
const EQUIVALENTS = `${ROOT}.ci/mutants/equivalent.json`;
const PAGE = `${ROOT}docs/mutants.md`;
/** What is between these lines of the page is written by `accept()`. */
const BEGIN = "<!-- Written by: deno task mutants --accept -->\n";
const END = "<!-- To here -->\n";

/** The committed record. */
export function readRecord(): Record {
  return JSON.parse(Deno.readTextFileSync(RECORD));
}

/** The committed reasons why changes make no difference. */
export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(Deno.readTextFileSync(EQUIVALENTS));
}

/** What is on record of changes that cannot be made any more: the tree has others now. */
export function staleKeys(): MutantKey[] {
  const keys = [...readEquivalents(), ...readRecord().survivors];
  const changed = new Set(listChanged());
  const files = [...new Set(keys.map(({ file }) => file))].filter((file) => changed.has(file));
  const known = new Set(listMutants(files).map(idOf));
  return keys.filter((key) => !known.has(idOf(key)));
}

/** The page with what the record says in its place. */
export function pageOf(page: string, record: Record): string {
  const [head, rest = ""] = page.split(BEGIN);
  const tail = rest.slice(rest.indexOf(END));
  return `${head}${BEGIN}\n${report(record, readEquivalents())}\n${tail}`;
}

/** Takes a sample into the record, in place of one of the same name, and writes the page. */
export function accept(name: string, results: Results): void {
  if (results.first.size === 0) {
    throw new Error(`Cannot accept the sample ${name} as nothing of it was judged`);
  }
  const record = added(readRecord(), { name, results });
  Deno.writeTextFileSync(RECORD, `${JSON.stringify(record, undefined, 2)}\n`);
  Deno.writeTextFileSync(PAGE, pageOf(Deno.readTextFileSync(PAGE), record));
}

/** The record with a sample: what it judged last counts for what is left, what it judged first else. */
export function added(
  { samples, survivors }: Record,
  { name, results, equivalents = new Equivalents(readEquivalents()) }: {
    readonly name: string;
    readonly results: Results;
    readonly equivalents?: Equivalents;
  },
): Record {
  const byRoom = Map.groupBy(results.first.values(), ({ file }) => roomOf(file));
  const rooms = [...byRoom].toSorted(([left], [right]) => left < right ? -1 : 1)
    .map(([room, ofRoom]) => [room, countsOf(ofRoom, equivalents)]);
  const judged = new Set([...results.last.values()].map(idOf));
  const left = [...results.last.values()].filter((one) =>
    one.verdict === "survived" && !equivalents.reasonOf(one)
  ).map(({ file, operator, scope, from, to }) => ({ file, operator, scope, from, to }));
  return {
    samples: [
      ...samples.filter((sample) => sample.name !== name),
      { name, rooms: Object.fromEntries(rooms) },
    ],
    survivors: [...survivors.filter((key) => !judged.has(idOf(key))), ...left]
      .toSorted((one, other) => idOf(one) < idOf(other) ? -1 : 1),
  };
}

/** How many of these results are of which kind. */
export function countsOf(results: readonly Result[], equivalents: Equivalents): Counts {
  const isSame = (one: Result) => equivalents.reasonOf(one) !== undefined;
  const survived = results.filter(({ verdict }) => verdict === "survived");
  return {
    killed: results.filter(({ verdict }) => verdict === "killed").length,
    survived: survived.filter((one) => !isSame(one)).length,
    equivalent: survived.filter(isSame).length,
    refused: results.filter(({ verdict }) => verdict === "refused").length,
  };
}
