import type { Difference } from "../../../results/statistics/compare.ts";
import { ended } from "../../machine/ended.ts";

/** What a program says of the second form, in its own words, and how many times as long it takes. */
export interface Told {
  readonly verdict: Difference;
  /** NaN where it says none. */
  readonly ratio: number;
}

/** Which forms are asked about: how many steps a call of each does. */
export interface Question {
  readonly before: number;
  readonly after: number;
  /** For a run, where the program can be told. */
  readonly seconds: number;
}

/** A program that compares. */
export interface Tool {
  /** Why it cannot be asked here. */
  readonly obstacle: () => Promise<string | undefined>;
  readonly ask: (question: Question) => Promise<Told>;
}

const OWN = new URL("../main.ts", import.meta.url).href;
const VITEST = "5.1.1";
/** The same for those that know no scenarios: steps of a generator by shifts. */
const STEP = `let state = 1;
function step(count) {
  for (let at = 0; at < count; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
}`;
/** Of a program: so many take a third of a second, many times what it takes to start. */
const CALLS = 300_000;

/** Each by the version that is asked. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  "this lab": { obstacle: nothing, ask: askOwn },
  "mitata 1.0.34": { obstacle: nothing, ask: askMitata },
  [`vitest ${VITEST}`]: { obstacle: () => absent("npm"), ask: askVitest },
  hyperfine: { obstacle: () => absent("hyperfine"), ask: askHyperfine },
};

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}

async function absent(program: string): Promise<string | undefined> {
  const isThere = await run(program, ["--version"]).then(() => true, () => false);
  return isThere ? undefined : `there is no ${program}`;
}

async function run(
  program: string,
  args: readonly string[],
  { cwd, codes = [0] }: { readonly cwd?: string; readonly codes?: readonly number[] } = {},
): Promise<string> {
  const env = { NO_COLOR: "1" };
  const { code, out, error } = await ended(program, args, { ...cwd !== undefined && { cwd }, env });
  if (codes.includes(code)) return out;
  throw new Error(`Cannot ask ${program} as it ended with ${code}: ${error.slice(-500)}`);
}

/** A program for Deno, as a text. */
function dataUrl(text: string): string {
  return `data:text/typescript,${encodeURIComponent(text)}`;
}

async function askOwn({ before, after, seconds }: Question): Promise<Told> {
  const out = await Deno.makeTempDir();
  try {
    const [old, now] = [before, after].map((steps) =>
      dataUrl(`${STEP} export const forms = { name: "forms", question: "Steps?", axes: {},
        setup: () => Promise.resolve({ run: (calls) => step(calls * ${steps}),
          [Symbol.asyncDispose]: () => Promise.resolve() }) };`)
    );
    const forms = ["--scenario", now!, "--against", old!];
    const text = await run(
      Deno.execPath(),
      ["run", "-A", "--no-check", OWN, ...forms, "--budget", `${seconds}s`, "--out", out],
      { codes: [0, 1, 3] },
    );
    const cells = text.split("\n").find((line) => line.startsWith("forms "))!.split(/ {2,}/);
    const [word] = /^(?:slower|faster|the same|undecided)/.exec(cells.at(-1)!) ?? ["undecided"];
    const verdict = word === "the same" ? "same" : word as Difference;
    return { verdict, ratio: Number(cells[4]) };
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

/** It names one as faster, unless both take as long in the digits that it shows. */
async function askMitata({ before, after }: Question): Promise<Told> {
  const text = await run(Deno.execPath(), [
    "run",
    "-A",
    "--no-check",
    dataUrl(`import { bench, run, summary } from "npm:mitata@1.0.34";
      ${STEP}
      summary(() => {
        bench("before", () => step(${before}));
        bench("after", () => step(${after}));
      });
      await run({ colors: false });`),
  ]);
  const [, first, times] = /summary\n\s*(\w+)\n\s*([\d.]+)x faster than/.exec(text) ?? [];
  return fromFirst(first === "before", Number(times));
}

function fromFirst(isBeforeFirst: boolean, times: number): Told {
  const verdict = times === 1 ? "same" : isBeforeFirst ? "slower" : "faster";
  return { verdict, ratio: isBeforeFirst ? times : 1 / times };
}

/** Its assertions go by the means, and hold for one of two ways always. */
async function askVitest({ before, after }: Question): Promise<Told> {
  const folder = await vitestFolder();
  await Deno.writeTextFile(
    `${folder}/forms.bench.ts`,
    `import { expect, test } from "vitest";
    ${STEP}
    test("forms", async ({ bench }) => {
      const told = await bench.compare(
        bench("before", () => step(${before})), bench("after", () => step(${after})));
      const [before, after] = [told.get("before"), told.get("after")];
      const isSlower = after.latency.mean > before.latency.mean;
      if (isSlower) expect(after).toBeSlowerThan(before);
      else expect(after).toBeFasterThan(before);
      console.log("ratio=" + after.latency.mean / before.latency.mean);
    });`,
  );
  const text = await run("npx", ["vitest", "bench", "--run"], { cwd: folder });
  const ratio = Number(/ratio=([\d.]+)/.exec(text)?.[1]);
  return { verdict: ratio > 1 ? "slower" : "faster", ratio };
}

let installed: Promise<string> | undefined;

/** Where it is installed, once. */
function vitestFolder(): Promise<string> {
  installed ??= (async () => {
    const folder = await Deno.makeTempDir();
    addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
    await Deno.writeTextFile(`${folder}/package.json`, "{}");
    await run("npm", ["install", "--silent", `vitest@${VITEST}`], { cwd: folder });
    return folder;
  })();
  return installed;
}

/** Whole programs; it says by how much the ratio may be off, which is no verdict where it holds 1. */
async function askHyperfine({ before, after }: Question): Promise<Told> {
  const program = dataUrl(`${STEP} step(${CALLS} * Number(Deno.args[0]));`);
  const named = Object.entries({ before, after }).flatMap((
    [name, steps],
  ) => ["--command-name", name, `${Deno.execPath()} run --no-check ${program} ${steps}`]);
  const text = await run("hyperfine", ["-N", "--warmup", "1", "--runs", "10", ...named]);
  const pattern = /Summary\n\W*(\w+)\W* ran\n\s*([\d.]+) ± ([\d.]+) times faster than/;
  const [, first, times, error] = pattern.exec(text) ?? [];
  const told = fromFirst(first === "before", Number(times));
  return Number(times) - Number(error) > 1 ? told : { ...told, verdict: "undecided" };
}

/** `3 undecided, 2 slower: 0.99 to 1.06`, what was said most often first. */
export function toldText(told: readonly Told[]): string {
  const counts = Object.entries(Object.groupBy(told, ({ verdict }) => verdict))
    .map(([verdict, some]) => `${some!.length} ${verdict}`).toSorted().toReversed();
  const ratios = told.map(({ ratio }) => ratio).filter(Number.isFinite);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toPrecision(3));
  return ratios.length === 0 ? counts.join(", ") : `${counts.join(", ")}: ${least} to ${most}`;
}
