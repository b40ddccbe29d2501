import { isTest, type Rule, type Source, topFolder } from "./source.ts";
import { syntaxOf } from "./syntax.ts";

const FLOW = ["core", "scenarios", "bench", "results", "notebooks"];

/** What a module imports; the cells of a notebook have a rule of their own. */
function importsOf(source: Source) {
  return source.path.endsWith(".ts") ? syntaxOf(source).imports : [];
}

function isRelative(target: string): boolean {
  return /^\.\.?(\/|$)/.test(target);
}

/** Where a relative import leads, as a path from the root. */
function resolved(source: Source, target: string): string {
  return new URL(target, `file:///${source.path}`).pathname.slice(1);
}

/** The command line measures with one end and shows with the other: something has to join them. */
const JOINS_BOTH_ENDS = /^bench\/cli\//;

/** Data flows downstream, imports point upstream; worker and shader URLs are imports too. */
export function importsPointUpstream(source: Source): string[] {
  const rank = FLOW.indexOf(topFolder(source.path));
  if (rank < 0 || JOINS_BOTH_ENDS.test(source.path)) return [];
  return importsOf(source)
    .filter(({ what }) => isRelative(what))
    .filter(({ what }) => FLOW.indexOf(topFolder(resolved(source, what))) > rank)
    .map(({ what, line }) => `${source.path}:${line} imports ${what}, which is downstream`);
}

/**
 * Of modules that need each other to run, nobody can take one out, move it or load it alone, and which
 * runs first hangs on who was asked for. Hand one in by value where the other is called.
 */
export function importsMakeNoCircle(sources: readonly Source[]): Rule {
  const graph = new Map(sources.map((source) => [source.path, loadedBy(source)]));
  return (source) =>
    loadedBy(source).filter((target) => {
      const reached = new Set([target]);
      for (const path of reached) for (const next of graph.get(path) ?? []) reached.add(next);
      return reached.has(source.path);
    }).map((target) => `${source.path} imports ${target}, which imports it, directly or not`);
}

/** The modules of the tree that a module needs to run. */
function loadedBy(source: Source): readonly string[] {
  return importsOf(source)
    .filter(({ what, isLoaded }) => isLoaded && isRelative(what))
    .map(({ what }) => resolved(source, what));
}

/** Folders of `core/` that are a protocol each. */
export const PROTOCOLS: readonly string[] = [
  "toggle",
  "four_phase",
  "gwht",
  "command_ring",
  "packet_stacks",
];

/** What every protocol stands on. */
const FOUNDATIONS = ["memory", "wait", "call"];

/** What the folders of `core/` may import beside themselves. */
export const CORE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  memory: [],
  text: [],
  wait: ["memory"],
  call: ["memory", "wait"],
  one_packet: FOUNDATIONS,
  ...Object.fromEntries(PROTOCOLS.map((name) => [name, [...FOUNDATIONS, "one_packet"]])),
  worker: [...FOUNDATIONS, "toggle"],
  connect: [...FOUNDATIONS, "worker"],
  linear: [...FOUNDATIONS, "toggle"],
  signature: [...FOUNDATIONS, "text", "toggle"],
  system: [...FOUNDATIONS, "toggle", "signature"],
  services: [...FOUNDATIONS, "text", "toggle", "worker", "signature", "system"],
  process: [...FOUNDATIONS, "text", "toggle", "worker", "signature", "services", "system"],
  gpu: [...FOUNDATIONS, "text", "toggle", "signature", "services", "system", "process"],
};

/**
 * What every protocol stands on knows none of them, no protocol knows another, no folder knows one
 * that knows it, and nothing of the product reaches its tests' material. An entry of a folder may
 * take names from the entry above it.
 */
export function coreFoldersBuildOnEachOther(source: Source): string[] {
  const [top, folder = "", ...rest] = source.path.split("/");
  if (top !== "core" || folder === "testing" || isTest(source.path)) return [];
  if (rest.length > 0 && !(folder in CORE_FOLDERS)) {
    return [`${source.path} is in core/${folder}, which CORE_FOLDERS does not name`];
  }
  const allowed = [...CORE_FOLDERS[folder] ?? Object.keys(CORE_FOLDERS), folder];
  const isEntry = rest.at(-1) === "mod.ts";
  return importsOf(source)
    .filter(({ what }) => isRelative(what))
    .map(({ what, line }) => ({ what, line, target: resolved(source, what).split("/")[1]! }))
    .filter(({ target }) => !allowed.includes(target) && !(isEntry && target === "mod.ts"))
    .map(({ what, line }) =>
      `${source.path}:${line} imports ${what}, which core/${folder} may not know`
    );
}

/** The public surface re-exports the folders, so a folder that imports it would import itself. */
export function surfaceIsForOutsiders(source: Source): string[] {
  const folder = topFolder(source.path);
  if (!FLOW.includes(folder) || folder === "notebooks") return [];
  return importsOf(source)
    .filter(({ what }) => isRelative(what) && resolved(source, what) === "mod.ts")
    .map(({ line }) => `${source.path}:${line} imports the root mod.ts`);
}

/** What tells about the project sees of it what everybody sees. */
export function notebooksUseTheSurface(source: Source): string[] {
  if (topFolder(source.path) !== "notebooks") return [];
  return importsOf(source)
    .filter(({ what }) => isRelative(what))
    .filter(({ what }) => !/^(notebooks\/|mod\.ts$)/.test(resolved(source, what)))
    .map(({ what, line }) => `${source.path}:${line} imports ${what} past the root mod.ts`);
}

/**
 * The core is imported by URL, where no import map and no package can be counted on. Its tests' material
 * is not.
 */
export function coreImportsNoPackage(source: Source): string[] {
  const isProduct = topFolder(source.path) === "core" && !source.path.startsWith("core/testing/");
  // Tools that look at programs run in no page and no worker; the folder's README says so.
  const isTool = source.path.startsWith("core/linear/lint/");
  if (!isProduct || isTool || isTest(source.path)) return [];
  // What calls Vulkan runs on Deno alone, which brings the modules of Node.
  const isBuiltIn = (what: string) =>
    what.startsWith("node:") && source.path.startsWith("core/gpu/live/device/");
  return importsOf(source)
    .filter(({ what }) => !isRelative(what) && !isBuiltIn(what))
    .map(({ what, line }) => `${source.path}:${line} imports the package ${what}`);
}

/** A version that moves by itself would make yesterday's record impossible to repeat. */
export function packagesArePinned(source: Source): string[] {
  if (!/\.(ts|ipynb|json)$/.test(source.path)) return [];
  const pinned = /^npm:\/?(@[^/]+\/)?[^@/]+@\d+\.\d+\.\d+(-[\w.]+)?(\/|$)/;
  return [...source.text.matchAll(/["'`\s](npm:[^"'`\s\\]+)/g)]
    .map(([, target]) => target!)
    .filter((target) => !pinned.test(target))
    .map((target) => `${source.path} names ${target} without an exact version`);
}
