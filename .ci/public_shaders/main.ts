/**
 * Puts `printf` into shaders of public packages, runs each with and without, and compares what they compute:
 * those that stand in packages as they are, on made-up contents, and those that three.js and TensorFlow.js write
 * as they run. `compared.txt` has the last outcome: package and version, stages, the beginning of the shader's
 * SHA-256, how many lines were printed, and whether all outputs were equal. The packages lie in a folder that `npm install` has filled:
 *
 *     deno run -A --node-modules-dir=manual --preload=bench/adapters/software_gpu.ts \
 *       .ci/public_shaders/main.ts FOLDER/node_modules
 */
import { instrument } from "../../core/gpu/printf/mod.ts";
import { type Outputs, runModule } from "./module_run.ts";
import { runOperations } from "./tfjs_run.ts";
import { runThree } from "./three_run.ts";
import { withCalls } from "./with_calls.ts";

interface Found {
  readonly from: string;
  readonly code: string;
}

function* filesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (/\.(?:wgsl|m?js|cjs)$/.test(name) && !name.includes(".min.")) yield path;
  }
}

const STRINGS = /`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/gs;

/** The whole modules of WGSL in the files of packages, as files or as strings without holes. */
function* shadersIn(root: string): Generator<Found> {
  const seen = new Set<string>();
  for (const path of filesIn(root)) {
    const source = Deno.readTextFileSync(path);
    if (!/@(?:compute|vertex|fragment)/.test(source) || source.length > 3e6) continue;
    const texts = path.endsWith(".wgsl")
      ? [source]
      : [...source.matchAll(STRINGS)].map((found) =>
        (found[1] ?? found[2] ?? found[3])!.replaceAll("\\n", "\n").replaceAll('\\"', '"')
      );
    for (const code of texts) {
      const isEntry = /@(?:compute|vertex|fragment)[^;]*fn\s/s.test(code);
      if (!isEntry || /\$\{|^\s*#/m.test(code) || seen.has(code)) continue;
      seen.add(code);
      const parts = path.slice(root.length + 1).split("/");
      yield { from: parts.slice(0, parts[0]!.startsWith("@") ? 2 : 1).join("/"), code };
    }
  }
}

async function hashOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  return new Uint8Array(digest).toHex().slice(0, 16);
}

function same(one: Outputs, other: Outputs): boolean {
  return one.length === other.length &&
    one.every((bytes, at) => bytes.every((byte, index) => byte === other[at]![index]));
}

/** Two devices that run the same, of which one prints; and what it prints, by the labels of modules. */
async function devices() {
  const adapter = await navigator.gpu.requestAdapter();
  const request = async () => {
    const device = await adapter!.requestDevice();
    device.addEventListener("uncapturederror", (event) => event.preventDefault());
    return device;
  };
  const [plain, followed] = [await request(), await request()];
  const lineCounts = new Map<string, number>();
  const printing = instrument(followed, {
    write: ({ file }) => lineCounts.set(file, (lineCounts.get(file) ?? 0) + 1),
    warn: () => {},
    filter: { first: 3 },
    linesMax: Infinity,
  });
  return { plain, followed, printing, lineCounts };
}

/** Runs the modules that stand as they are in packages, on made-up contents. */
async function compareModules(root: string, report: Report): Promise<void> {
  const { plain, followed, printing, lineCounts } = await devices();
  for (const { from, code } of shadersIn(root)) {
    const shown = withCalls(code);
    if (!shown) continue;
    plain.pushErrorScope("validation");
    const wanted = await runModule(plain, { code }).catch(() => []);
    const problem = await plain.popErrorScope();
    if (problem || wanted.length === 0) continue; // a part of a shader, or for what this device has not
    const hash = await hashOf(code);
    const got = await runModule(followed, { code, shown, label: hash }).catch(() => []);
    await printing.settled();
    const lineCount = lineCounts.get(hash) ?? 0;
    report(from, { code, hash, isEqual: same(wanted, got), lineCount });
  }
}

interface Compared {
  readonly code: string;
  /** The beginning of its SHA-256. */
  readonly hash: string;
  readonly isEqual: boolean;
  readonly lineCount: number;
}
type Report = (from: string, result: Compared) => void;

type Program = (root: string, device: GPUDevice) => Promise<ReadonlyMap<string, Uint8Array>>;

/** Runs a library that writes its shaders as it runs, once with and once without calls in them. */
async function compareProgram(
  { root, name, run }: { readonly root: string; readonly name: string; readonly run: Program },
  report: Report,
): Promise<void> {
  const { plain, followed, printing, lineCounts } = await devices();
  const real = followed.createShaderModule.bind(followed);
  const labels = new Map<string, string>();
  followed.createShaderModule = ({ code }) => {
    const label = `shader_${labels.size}`;
    const shown = withCalls(code);
    if (shown) labels.set(label, code);
    return real({ code: shown ?? code, label });
  };
  const [wanted, got] = [await run(root, plain), await run(root, followed)];
  await printing.settled();
  const differing = [...wanted].flatMap(([name, bytes]) =>
    same([bytes], [got.get(name) ?? new Uint8Array()]) ? [] : [name]
  );
  console.log(`${name}: ${wanted.size} results, ${differing.length} differ: ${differing.join()}`);
  for (const [label, code] of labels) {
    const lineCount = lineCounts.get(label) ?? 0;
    const isEqual = differing.length === 0;
    report(name, { code, hash: await hashOf(code), isEqual, lineCount });
  }
}

const [root = ""] = Deno.args;
const versions = new Map<string, string>();
let printedCount = 0;

function report(from: string, { code, hash, isEqual, lineCount }: Compared): void {
  const version = versions.get(from) ??
    JSON.parse(Deno.readTextFileSync(`${root}/${from}/package.json`)).version;
  versions.set(from, version);
  const stages = ["compute", "vertex", "fragment"].filter((one) => code.includes(`@${one}`));
  const outcome = isEqual ? "equal" : "DIFFERS";
  if (isEqual && lineCount > 0) printedCount++;
  console.log(`${from}@${version} ${stages.join("+")} ${hash} ${outcome} ${lineCount}`);
}

await compareModules(root, report);
await compareProgram({ root, name: "three", run: runThree }, report);
const operations = { root, name: "@tensorflow/tfjs-backend-webgpu", run: runOperations };
await compareProgram(operations, report);
console.log(`${printedCount} shaders of ${versions.size} packages printed, with equal outputs`);
// Libraries keep timers.
Deno.exit(0);
