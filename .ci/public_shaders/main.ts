/**
 * Puts `printf` into shaders of public packages, runs each with and without, and compares what they compute:
 * those that stand in packages as they are, on made-up contents, in Deno and in Chromium; and those that three.js and
 * TensorFlow.js write as they run, by what these give, and then as the others. `compared.txt` has the last outcome.
 */
import { existsSync } from "node:fs";
import { chromiumObstacle, PageBed } from "../../core/testing/conformance/runtimes/chromium.ts";
import { FAILED_EXIT } from "../../bench/cli/command_line.ts";
import { runCommand } from "../../bench/cli/options/command_options.ts";
import { writeModules } from "../pack.ts";
import {
  compareModules,
  type Outcome,
  type PublicShader,
  same,
  twoDevices,
} from "./compare_modules.ts";
import { runOperations } from "./tfjs_run.ts";
import { runThree } from "./three_run.ts";
import { withCalls } from "./with_calls.ts";

const PACKAGES = [
  "@babylonjs/core@9.34.0",
  "@orillusion/core@0.9.2",
  "@playcanvas/splat-transform@3.7.0",
  "@tensorflow/tfjs-backend-webgpu@4.22.0",
  "@tensorflow/tfjs-core@4.22.0",
  "anime4k-webgpu@1.0.0",
  "chartgpu@0.3.10",
  "pixi.js@8.22.0",
  "playcanvas@2.23.3",
  "three@0.187.0",
  "typegpu@0.12.5",
  "webgpu-utils@2.1.1",
];
const INSTALL = `npm install --ignore-scripts --legacy-peer-deps ${PACKAGES.join(" ")}`;

/** A package has hundreds of layers of neural networks. */
const MODULES_MAX = 60;

type Add = (from: string, code: string) => Promise<PublicShader | undefined>;

function nameOf(specifier: string): string {
  return specifier.slice(0, specifier.lastIndexOf("@"));
}

function versionIn(folder: string): string | undefined {
  const path = `${folder}/package.json`;
  return existsSync(path) ? JSON.parse(Deno.readTextFileSync(path)).version : undefined;
}

function* filesIn(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)];
  for (const { name, isDirectory } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (/\.(?:wgsl|m?js|cjs)$/.test(name) && !name.includes(".min.")) yield path;
  }
}

const STRINGS = /`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/gs;

/** The text that a string stands for, or one in a string as bundles have them. */
function plain(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };
  const once = text.replaceAll(/\\([^])/g, (_, one) => letters[one] ?? one);
  return /^(?!.*\n).*\\n/.test(once) ? plain(once) : once;
}

/** The whole modules of WGSL in the files of a package, as files or as strings without holes. */
function modulesIn(folder: string): Iterable<string> {
  const modules = new Set<string>();
  for (const path of filesIn(folder)) {
    const source = Deno.readTextFileSync(path);
    if (!/@(?:compute|vertex|fragment)/.test(source)) continue;
    const texts = path.endsWith(".wgsl")
      ? [source]
      : [...source.matchAll(STRINGS)].map((found) => plain((found[1] ?? found[2] ?? found[3])!));
    for (const code of texts) {
      const isEntry = /@(?:compute|vertex|fragment)[^;]*fn\s/s.test(code);
      if (isEntry && !/\$\{|^\s*#/m.test(code)) modules.add(code);
    }
  }
  return modules.values().take(MODULES_MAX);
}

type Program = (root: string, device: GPUDevice) => Promise<ReadonlyMap<string, Uint8Array>>;
const PROGRAMS: Readonly<Record<string, Program>> = {
  three: runThree,
  "@tensorflow/tfjs-backend-webgpu": runOperations,
};

/** Runs a library that writes its shaders as it runs, once with and once without calls in them. */
async function runProgram(
  root: string,
  name: string,
  add: Add,
): Promise<Outcomes> {
  const { plain, followed, printing, lineCounts } = await twoDevices();
  const real = followed.createShaderModule.bind(followed);
  const labels = new Map<string, string>();
  followed.createShaderModule = ({ code }) => {
    const label = `shader_${labels.size}`;
    const shown = withCalls(code);
    if (shown) labels.set(label, code);
    return real({ code: shown ?? code, label });
  };
  const run = PROGRAMS[name]!;
  const [wanted, got] = [await run(root, plain), await run(root, followed)];
  await printing.settled();
  const differing = [...wanted].flatMap(([name, bytes]) =>
    same([bytes], [got.get(name) ?? new Uint8Array()]) ? [] : [name]
  );
  console.log(`${name}: ${wanted.size} results, ${differing.length} differ: ${differing.join()}`);
  const results = new Map<string, Outcome>();
  for (const [label, code] of labels) {
    const outcome = lineCounts.has(label) ? "equal" : "reaches no printf";
    results.set((await add(name, code))!.hash, differing.length > 0 ? "DIFFERS" : outcome);
  }
  return results;
}

/** What compares shaders in a page of Chromium, or nothing where there is none. */
async function chromiumComparer(stack: AsyncDisposableStack): Promise<typeof compareModules> {
  const obstacle = chromiumObstacle();
  if (obstacle) throw new Error(`Cannot compare in Chromium as ${obstacle}`);
  const folder = stack.adopt(
    await Deno.makeTempDir(),
    (path) => Deno.removeSync(path, { recursive: true }),
  );
  writeModules(folder, [".ci/public_shaders/compare_modules.ts"]);
  const bed = stack.use(await PageBed.start(folder));
  return async (shaders) => {
    const page = await bed.open({ isIsolated: false });
    page.on("console", (told) => console.log("Chromium:", told.text()));
    const url = "/.ci/public_shaders/compare_modules.js";
    const results = await page.evaluate(async ({ url, shaders }) => {
      const { compareModules } = await import(url);
      return await compareModules(shaders);
    }, { url, shaders });
    await page.close();
    return results;
  };
}

type Outcomes = ReadonlyMap<string, Outcome>;

/** Compares shaders some at a time, so that no page lives long and a device that is lost costs few. */
async function compareAll(
  shaders: readonly PublicShader[],
  compare: typeof compareModules,
): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome>();
  for (let at = 0; at < shaders.length; at += 10) {
    const some = shaders.slice(at, at + 10);
    const results = await compare(some).catch((error) => {
      console.log(`${error}`);
      return [];
    });
    results.forEach((outcome, index) => outcomes.set(some[index]!.hash, outcome));
  }
  return outcomes;
}

const NONE: Outcome = "does not run";

async function main(root: string): Promise<number> {
  const missing = PACKAGES.filter((one) =>
    !one.endsWith(`@${versionIn(`${root}/${nameOf(one)}`)}`)
  );
  if (missing.length > 0) {
    throw new TypeError(`Cannot compare as ${root} has no ${missing.join(", ")}: run ${INSTALL}`);
  }
  const shaders = new Map<string, PublicShader>();
  const add: Add = async (from, code) => {
    const shown = withCalls(code);
    if (!shown) return;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
    const hash = new Uint8Array(digest).toHex().slice(0, 8);
    const stages = ["compute", "vertex", "fragment"].filter((one) => code.includes(`@${one}`));
    const known = shaders.get(hash); // the same stands in several packages
    if (known) return known;
    const shader = { from, stages: stages.join("+"), code, shown, hash };
    shaders.set(hash, shader);
    return shader;
  };
  const ran = new Map<string, Outcome>();
  for (const one of PACKAGES) {
    for (const code of modulesIn(`${root}/${nameOf(one)}`)) await add(one, code);
    if (!(nameOf(one) in PROGRAMS)) continue;
    const results = await runProgram(root, nameOf(one), (_, code) => add(one, code));
    results.forEach((outcome, hash) => ran.set(hash, outcome));
  }
  const all = [...shaders.values()];
  console.log(`${all.length} shaders`);
  await using stack = new AsyncDisposableStack();
  const inDeno = new Map([...await compareAll(all, compareModules), ...ran]);
  const inChromium = await compareAll(all, await chromiumComparer(stack));
  const lines = new Map<string, string[]>();
  for (const { from, stages, hash } of all) {
    const [deno, chromium] = [inDeno, inChromium].map((one) => one.get(hash) ?? NONE);
    const line = `${from} ${stages}: ${deno} in Deno, ${chromium} in Chromium`;
    if (deno !== NONE || chromium !== NONE) lines.set(line, [...lines.get(line) ?? [], hash]);
  }
  const texts = [...lines].map(([line, found]) => `${line}: ${found.length}: ${found.join(" ")}\n`);
  Deno.writeTextFileSync(new URL("compared.txt", import.meta.url), texts.join(""));
  console.log(texts.join(""));
  return texts.some((one) => one.includes("DIFFERS")) ? FAILED_EXIT : 0;
}

const command = {
  usage: ["deno run -A --preload=bench/adapters/software_gpu.ts .ci/public_shaders/main.ts FOLDER"],
  words: [1, 1],
  does:
    `Compares what shaders of public packages compute with and without printf, in Deno and in Chromium, and
writes compared.txt. FOLDER is the node_modules of ${INSTALL}`,
  options: {},
  ends:
    `It ends with 0, with ${FAILED_EXIT} when a shader computes something else, and with 2 when packages are missing.`,
} as const;
// Libraries keep timers.
Deno.exit(await runCommand(command, ({ rest: [root] }) => main(root!)));
