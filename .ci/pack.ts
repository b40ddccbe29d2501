/**
 * Writes what is published: `deno task pack` writes `dist/npm/`, the library as JavaScript modules
 * with types, and `dist/jsr/`, the sources of all. `docs/publishing.md` is the guide.
 *
 * @module
 */
import { dirname, join, resolve } from "@std/path";
import ts from "typescript";
import { write } from "../bench/cli/command_line.ts";
import { runCommand } from "../bench/cli/options/command_options.ts";

const ROOT = new URL("..", import.meta.url).pathname;

interface Config {
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly publish: { readonly include: readonly string[] };
}

function readConfig(): Config {
  return JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));
}

/** Entries of deno.json that are not for Node and pages, with the reason. */
const DENO_ONLY: Readonly<Record<string, string>> = {
  ".": "has the lab, which measures in processes of Deno: the package's own root is ./connect",
  "./types": "has the lab's types",
  "./services": "works on Deno's files, processes and libraries",
  "./emissary": "loads libraries by Deno's FFI",
  "./emissary/types": "has the types of those libraries",
  "./gpu/live": "calls Vulkan by Deno's FFI",
  "./process": "maps files by Deno's FFI",
  "./gpu/program": "serves programs by what ./services has",
  "./linear/check": "reads what Deno keeps of modules",
  "./linear/lint": "is a plug-in of deno lint",
};

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noCheck: true, // `deno check` does, and knows the types of Deno
  stripInternal: true,
  inlineSources: true,
};

/** Declares `Disposable` to projects whose target is older. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/**
 * Writes modules as JavaScript, with all that they name, in folders as those of the sources.
 *
 * @param entries paths from the root
 * @param extras what to write beside the scripts: `declaration` takes as long as they do
 * @returns the modules that run in workers
 * @throws {Error} when an entry, or what a module names, is not there
 */
export function writeModules(
  folder: string,
  entries: readonly string[],
  extras: Pick<ts.CompilerOptions, "declaration" | "sourceMap"> = {},
): readonly string[] {
  const options = { ...OPTIONS, ...extras };
  const write = (path: string, text: string) =>
    writeInto(
      folder,
      path,
      /\.d\.ts$/.test(path) && /[dD]ispos/.test(text) ? DISPOSABLE + text : text,
    );
  let roots = entries.map((entry) => ROOT + entry);
  let program = ts.createProgram(roots, options);
  let named = [...roots.map((path) => ({ path, isUrl: false })), ...namedBy(program)];
  for (let others; (others = named.filter(({ path }) => !isKnown(program, path))).length > 0;) {
    roots = [...roots, ...others.map(({ path }) => path)];
    program = ts.createProgram(roots, options, undefined, program);
    named = namedBy(program);
  }
  for (
    const path of new Set(named.map(({ path }) => path).filter((path) => path.endsWith(".wgsl")))
  ) {
    // Comments and indents of shaders are not for those who load the package.
    const text = Deno.readTextFileSync(path).replaceAll(/\s*\/\/.*$|^\s+/gm, "");
    write(scriptName(path), `export default ${JSON.stringify(text)};\n`);
  }
  const transformers = { before: [renameModules], afterDeclarations: [renameModules] };
  program.emit(undefined, write, undefined, false, transformers);
  return named.filter(({ isUrl }) => isUrl).map(({ path }) => path.slice(ROOT.length));
}

/** The relative name of a module or a text, in an import, an export, a type, or a URL. */
function isModuleName(node: ts.Node): node is ts.StringLiteral {
  return ts.isStringLiteral(node) && /^\.\.?\/.*\.(ts|wgsl)$/.test(node.text);
}

/** What a name becomes. A text is the default export of a module of its own. */
function scriptName(name: string): string {
  return name.replace(/\.ts$/, ".js").replace(/\.wgsl$/, ".wgsl.js");
}

function renameModules<Root extends ts.Node>(context: ts.TransformationContext) {
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (isModuleName(node)) return context.factory.createStringLiteral(scriptName(node.text));
    return ts.isImportAttributes(node) ? undefined : ts.visitEachChild(node, visit, context);
  };
  return (root: Root): Root => visit(root) as Root;
}

interface Named {
  readonly path: string;
  /** Whether it is named by `new URL()`, to be run in a worker. */
  readonly isUrl: boolean;
}

/** What the modules of a program name. */
function namedBy(program: ts.Program): Named[] {
  return program.getSourceFiles().filter((file) => !file.isDeclarationFile).flatMap((source) => {
    const found: Named[] = [];
    const visit = (node: ts.Node, parent: ts.Node): void => {
      if (isModuleName(node)) {
        const path = join(dirname(source.fileName), node.text);
        found.push({ path, isUrl: ts.isNewExpression(parent) });
      }
      ts.forEachChild(node, (child) => visit(child, node));
    };
    visit(source, source);
    return found;
  });
}

/** @throws {Error} when there is no such file */
function isKnown(program: ts.Program, path: string): boolean {
  if (!ts.sys.fileExists(path)) throw new Error(`Cannot write modules as there is no ${path}`);
  return path.endsWith(".wgsl") || program.getSourceFile(path) !== undefined;
}

function writeInto(folder: string, path: string, text: string): void {
  const target = join(folder, path.slice(ROOT.length));
  Deno.mkdirSync(dirname(target), { recursive: true });
  Deno.writeTextFileSync(target, text);
}

/** Writes the package that npm takes into an empty folder. */
export function packForNpm(folder: string): void {
  const { version, license, exports } = readConfig();
  const open = Object.entries(exports).filter(([name]) => !(name in DENO_ONLY));
  const entries = [[".", exports["./connect"]!] as const, ...open];
  const paths = entries.map(([, path]) => path.slice("./".length));
  const workers = writeModules(folder, paths, { declaration: true, sourceMap: true });
  const manifest = {
    name: "portlab",
    version,
    description: "Calls between workers and from WGSL kernels over shared memory, printf in WGSL",
    keywords: ["rpc", "worker", "sharedarraybuffer", "atomics", "webgpu", "wgsl", "printf"],
    license,
    type: "module",
    engines: { node: ">=24" },
    exports: {
      ...Object.fromEntries(entries.map(([name, path]) => [name, {
        types: path.replace(/\.ts$/, ".d.ts"),
        default: scriptName(path),
      }])),
      "./package.json": "./package.json",
    },
    sideEffects: workers.map((path) => `./${scriptName(path)}`),
  };
  Deno.writeTextFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  Deno.copyFileSync(`${ROOT}LICENSE`, `${folder}/LICENSE`);
  Deno.writeTextFileSync(
    `${folder}/README.md`,
    packagePage(Deno.readTextFileSync(`${ROOT}README.md`)),
  );
}

/** The README as the package has it: entries by their names, and no links to pages that stay behind. */
export function packagePage(page: string): string {
  return page
    .replaceAll(/"\.\/portlab\/core\/(\w+)\/mod\.ts"/g, '"portlab/$1"')
    .replaceAll(/\[([^\]]+)\]\((?!\w+:)[^)]+\)/g, "$1");
}

/**
 * Writes what JSR takes into an empty folder: the sources, but for the imports of texts, which it
 * refuses. `deno publish` leaves out there what it does in the tree.
 */
export function packForJsr(folder: string): void {
  const { include } = readConfig().publish;
  const names = [...Deno.readDirSync(ROOT)].map(({ name }) => name)
    .filter((name) =>
      include.includes(name) || /^(deno\.json|import_map\.json|vendor|.*\.md)$/.test(name)
    );
  const paths = names.flatMap((name) => [...filesBelow(ROOT + name)]);
  for (const path of paths) {
    let text = Deno.readTextFileSync(path);
    if (path.endsWith(".ts")) {
      text = text.replaceAll(/"(\.[^"]+)" with \{ type: "text" \}/g, (_, name) => {
        const source = join(dirname(path), name);
        const content = JSON.stringify(Deno.readTextFileSync(source));
        writeInto(
          folder,
          `${source}.ts`,
          `const text: string = ${content};\nexport default text;\n`,
        );
        return `"${name}.ts"`;
      });
    }
    writeInto(folder, path, text);
  }
}

function* filesBelow(path: string): Generator<string> {
  if (!Deno.statSync(path).isDirectory) return yield path;
  for (const { name } of Deno.readDirSync(path)) {
    if (!/^(testing|testdata|raw|pictures)$|_test\.ts$/.test(name)) {
      yield* filesBelow(`${path}/${name}`);
    }
  }
}

const COMMAND = {
  usage: ["deno task pack"],
  does: "Writes to dist/ what npm and JSR take, in place of all that is there.",
  options: {},
  ends: "It ends with 0, and with 1 or 2 when a file cannot be read, compiled or written.",
} as const;

if (import.meta.main) {
  Deno.exit(
    await runCommand(COMMAND, () => {
      const dist = resolve("dist");
      Deno.mkdirSync(dist, { recursive: true });
      for (const { name } of Deno.readDirSync(dist)) {
        Deno.removeSync(join(dist, name), { recursive: true });
      }
      for (const folder of [`${dist}/npm`, `${dist}/jsr`]) Deno.mkdirSync(folder);
      packForNpm(`${dist}/npm`);
      packForJsr(`${dist}/jsr`);
      console.log(`${dist}/npm\n${dist}/jsr`);
      write(Deno.stderr, "Next: docs/publishing.md says how each is published\n");
    }),
  );
}
