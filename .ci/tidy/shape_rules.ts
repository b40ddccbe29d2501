import { isTest, type Rule, type Source, topFolder } from "./source.ts";
import { syntaxOf } from "./syntax.ts";

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const PARAMETERS_MAX = 3;
const TOP_LEVEL =
  /^(\.ci|core|docs|scenarios|bench|results|notebooks|\.gitignore|deno\.(json|lock)|import_map\.json|package\.json|mod\.ts|tidy_test\.ts|README\.md|CHANGELOG\.md|LICENSE)$/;

/** Modules that need no test file beside them, each with the reason. */
const TESTED_ELSEWHERE: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    /deno_\w+_process\.ts$/,
    "runs in a child only: the test of the module that starts it covers it",
  ],
  [/_worker\.ts$/, "runs in a Worker only: the test of the module that starts it covers it"],
  [/(^|\/)main\.ts$/, "a program: its test starts it as a process"],
  [
    /^scenarios\/processes\/(?!processes)\w+\.ts$/,
    "two ends of a call: processes_test.ts makes it by each way",
  ],
  [
    /^core\/worker\/worker_scope\.ts$/,
    "the worker's end of WorkerLink: worker_link_test.ts runs both",
  ],
  [
    /^core\/worker\/thread\.ts$/,
    "the thread of WorkerLink: worker_link_test.ts and node_worker_test.ts run both kinds",
  ],
  [
    /^bench\/peers\/behaviours\/(behaviour_peers|functions)\.ts$/,
    "material of the cases: cases_test.ts runs them",
  ],
  [
    /^core\/gpu\/text\/(syntax|expression_parser|builtins|value_type)\.ts$/,
    "parts of one front end: parser_test.ts reads by them, inference_test.ts infers by them",
  ],
  [
    /^core\/gpu\/print\/instrument\/(?!hooks|printed_lines|instrument)\w+\.ts$/,
    "steps of instrument(): instrument_test.ts goes through them on a device",
  ],
  [
    /^core\/gpu\/print\/(print_functions|shader\/(entry_heads|stop_rules))\.ts$/,
    "what PrintingShader puts together: programs_test.ts runs it, by rings and on a followed device",
  ],
  [
    /^core\/gpu\/(run\/epoch|live\/kernel\/live)_runtime\.ts$/,
    "the two of one interface: kernel_runtime_test.ts and programs_test.ts go through both",
  ],
  [/^core\/toggle\/port\.ts$/, "the abstract half of ClientPort and ServerPort, which are tested"],
  [
    /^core\/toggle\/(\w+\/)?\w+_side\.ts$/,
    "steps of a call: client_test.ts and model/ take them",
  ],
  [
    /^core\/toggle\/lock\/(port|owner|anonymous)_locks\.ts$/,
    "the choices of locksOf(): locks_of_test.ts goes through all of them",
  ],
  [
    /^core\/toggle\/(one_page|lock\/sleepers)\.ts$/,
    "core/testing/one_page/ explores the page, plants faults in it, and has it run the suite",
  ],
  [
    /^core\/toggle\/server\/dispatch\.ts$/,
    "the inside of Server: server_test.ts and conformance/ reach each branch",
  ],
  [
    /^core\/(four_phase|packet_stacks|gwht)\/\w+_steps\.ts$/,
    "steps of a call: the protocol's test takes them, testing/packet_model/ in every order",
  ],
  [
    /^core\/services\/emissary\/mpi\/(collectives|communicators|topologies|transfers)\.ts$/,
    "the functions of serveMpi: serve_mpi_test.ts calls each in two processes, by both libraries",
  ],
  [
    /^core\/services\/emissary\/mpi\/mpi_(library|service|session)\.ts$/,
    "what serveMpi stands on: serve_mpi_test.ts runs it in two processes, by both libraries",
  ],
  [
    /^core\/services\/(host|serve_host)\.ts$/,
    "glue: stdout_test.ts runs it in a process of its own",
  ],
  [
    /^core\/gpu\/kernel\/(graph|lower|lower_expression|rules|step_writer)\.ts$/,
    "parts of one transform: corpus_test.ts runs what they make, refusals_test.ts what they refuse",
  ],
  [
    /^core\/services\/emissary\/hdf5\/(hdf5_functions|hdf5_library|transfer_check)\.ts$/,
    "the functions of serveHdf5: serve_hdf5_test.ts calls each",
  ],
  [/^core\/testing\/(?!.*_test)/, "test material itself: its tests are those of what it tests"],
];

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function isModule({ path }: Source): boolean {
  return path.endsWith(".ts");
}

/** A newcomer looks for a symbol under its name. */
export function fileNamesSayTheConcept({ path }: Source): string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!/\.(ts|wgsl|ipynb)$/.test(name)) return [];
  if (!/^_?[a-z0-9]+(_[a-z0-9]+)*(\.d)?\.[a-z]+$/.test(name)) return [`${path} is not snake_case`];
  const vague = /^(utils?|helpers?|types?|common|misc|shared)\./.test(name);
  return vague ? [`${path} has a name that says nothing`] : [];
}

/** A folder is a subject: with more files than this it holds two. Tests count. */
const FOLDER_FILES_MAX = 24;

/** Said once a folder, at its first file. */
export function foldersStaySmall({ path }: Source, paths: ReadonlySet<string>): string[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  if (folder === "" || /^results\/(raw|pictures)\//.test(folder)) return [];
  const files = [...paths].filter((other) =>
    other.startsWith(folder) && !other.slice(folder.length).includes("/")
  );
  if (files.length <= FOLDER_FILES_MAX || files[0] !== path) return [];
  return [`${folder} holds ${files.length} files`];
}

/** The top level is the table of contents. */
export function topLevelHoldsTheLayout({ path }: Source): string[] {
  return TOP_LEVEL.test(topFolder(path) || path) ? [] : [`${path} is not part of the layout`];
}

/** A ratchet: past this a file holds two things, and a function two levels. */
export function nothingGrowsTooLong(source: Source): string[] {
  if (!/\.(ts|wgsl)$/.test(source.path)) return [];
  const lines = lineCount(source.text);
  const wrong = lines > FILE_LINES_MAX ? [`${source.path} has ${lines} lines`] : [];
  if (!isModule(source)) return wrong;
  const long = syntaxOf(source).functions.filter((one) => one.lineCount > FUNCTION_LINES_MAX);
  return [
    ...wrong,
    ...long.map((one) => `${source.path}:${one.line} ${one.what} has ${one.lineCount} lines`),
  ];
}

/** Two numbers in a row must be named: options come as one object. */
export function argumentsAreNamed(source: Source): string[] {
  return !isModule(source) ? [] : syntaxOf(source).exported
    .filter(({ parameterCount }) => parameterCount > PARAMETERS_MAX)
    .map(({ what, line, parameterCount }) =>
      `${source.path}:${line} ${what} takes ${parameterCount} arguments`
    );
}

/** `as const` objects, `#private` and named exports do the same without the traps. */
export function languageStaysSmall(source: Source): string[] {
  if (!isModule(source)) return [];
  // A lint plugin is found by its default export, and a declaration file says what a package has.
  const isBound = /(^|[/_])(lint|plugin)\.ts$|\.d\.ts$/.test(source.path);
  return syntaxOf(source).refused
    .filter(({ what }) => !(isBound && what === "a default export"))
    .map(({ what, line }) => `${source.path}:${line} has ${what}`);
}

/** The test beside a module is its first documentation. */
export function modulesHaveTestsBeside(source: Source, paths: ReadonlySet<string>): string[] {
  const { path } = source;
  if (
    !isModule(source) || isTest(path) || !/^(core|scenarios|bench|results|notebooks)\//.test(path)
  ) {
    return [];
  }
  if (TESTED_ELSEWHERE.some(([exception]) => exception.test(path))) return [];
  const hasLogic = syntaxOf(source).functions.length > 0;
  const beside = path.replace(/\.ts$/, "_test.ts");
  return hasLogic && !paths.has(beside) ? [`${path} has no ${beside}`] : [];
}

/** `deno bench` runs every file that is named like a bench, whatever it does. */
export function benchesMeasure({ path, text }: Source): string[] {
  if (!/[/_.]bench\.[cm]?[jt]sx?$/.test(path)) return [];
  return /Deno\.bench\(|registerBenches\(/.test(text) ? [] : [`${path} registers no bench`];
}

/** What a reader of one protocol looks for in the next: paths from the protocol's folder. */
const PROTOCOL_FILES = ["PROTOCOL.md", "layout.ts"];

/** A protocol is a folder of `core/` with a page of its own; both it and the page have to be there. */
export function protocolsHaveTheSameFiles(protocols: readonly string[]): Rule {
  return (source, paths) => protocolOffences(protocols, source, paths);
}

function protocolOffences(
  protocols: readonly string[],
  { path }: Source,
  paths: ReadonlySet<string>,
): string[] {
  const [top, name = "", ...rest] = path.split("/");
  if (top !== "core" || rest.length === 0) return [];
  if (!protocols.includes(name)) {
    const isPage = rest.join("/") === "PROTOCOL.md";
    return isPage ? [`${path} is of a protocol that PROTOCOLS does not name`] : [];
  }
  const folder = `core/${name}/`;
  if ([...paths, path].find((other) => other.startsWith(folder)) !== path) return [];
  return PROTOCOL_FILES.map((file) => folder + file)
    .filter((file) => !paths.has(file) && file !== path)
    .map((file) => `${folder} has no ${file}`);
}
