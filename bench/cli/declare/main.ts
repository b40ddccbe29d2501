/**
 * Writes declarations of a C header: `deno task declare zlib.h`.
 *
 * @module
 */
import { basename } from "@std/path";
import { write } from "../command_line.ts";
import { type ReadOptions, runCommand } from "../options/command_options.ts";
import { declareHeader } from "./declare_header.ts";
import { type CHeader, readHeader } from "./read_header.ts";

/** How it is called. */
export const COMMAND = {
  usage: ["deno task declare [options] HEADER"],
  words: [1, 1],
  does:
    `Writes a module to the standard output with an API of the functions of a C header, for serveLibrary, and to
the standard error what it guessed from names and what no declaration says. A C compiler reads the header.
HEADER is as a program includes it: zlib.h, or a path.`,
  options: {
    name: { value: "NAME", help: "of the API; the header's when absent" },
    import: {
      value: "MODULE",
      help: "where declarations come from; @portlab/portlab/signature when absent",
    },
    library: {
      value: "FILE",
      help: "libz.so.1, for example: what it does not have is left out",
    },
    also: {
      value: "FILE",
      isList: true,
      help: "another file that it includes whose functions are wanted, by the end of its path",
    },
    define: {
      value: "NAME=VALUE",
      isList: true,
      help: "what the header wants to be defined before it",
    },
    nullable: {
      value: "NAME",
      isList: true,
      help:
        "handles (Memory, z_stream) or functions whose handles may be null, as the documentation says; of others, only the data of callbacks",
    },
    copied: {
      value: "NAME",
      isList: true,
      help: "structs that callers make, though the library returns some: tm, for example",
    },
    kept: {
      value: "NAME",
      isList: true,
      help: "functions that keep what they get by a pointer: callers send memory, which stays",
    },
    include: {
      value: "FOLDER",
      isList: true,
      help: "where the compiler looks for headers, too",
    },
  },
  ends: `It ends with 0, and with 2 when the header cannot be read.`,
} as const;

/** Words of compilers that are no C, and say nothing of calls. */
const NO_WORDS = [
  "__extension__",
  "__restrict",
  "__restrict__",
  "__inline",
  "__volatile__",
  "_Noreturn",
];
const NO_CALLS = ["__asm__", "__asm", "__declspec"];

if (import.meta.main) Deno.exit(await runCommand(COMMAND, (read) => declare(optionsOf(read))));

async function declare(given: DeclareCommand): Promise<void> {
  const { header, name, importFrom, library, also, nullable, copied, kept } = given;
  const text = await preprocess(given);
  const own = [basename(header), ...also];
  const read = readHeader(
    text,
    (path) => own.some((one) => path === one || path.endsWith(`/${one}`)),
  );
  const isThere = library === undefined ? () => true : symbolsOf(library, read);
  const { module, guesses, unsaid, count } = declareHeader(read, {
    name,
    importFrom,
    nullable,
    copied,
    kept,
    isThere,
  });
  write(Deno.stdout, module);
  const list = [...guesses.map((it) => `guessed: ${it}`), ...unsaid.map((it) => `not said: ${it}`)];
  write(
    Deno.stderr,
    [
      ...list,
      `${count} declared, ${guesses.length} guesses to check, ${unsaid.length} not said`,
      "Next: look through them, then serve the module by serveLibrary: docs/signatures.md",
      "",
    ].join("\n"),
  );
}

/** What the command line says. */
export interface DeclareCommand {
  readonly header: string;
  readonly name: string;
  readonly importFrom: string;
  readonly library?: string | undefined;
  readonly also: readonly string[];
  readonly define: readonly string[];
  readonly nullable: readonly string[];
  readonly copied: readonly string[];
  readonly kept: readonly string[];
  readonly include: readonly string[];
}

/** @throws {SyntaxError} when the command line is wrong */
export function optionsOf({ given, rest }: ReadOptions<typeof COMMAND.options>): DeclareCommand {
  const header = rest[0]!;
  const { import: importFrom = "@portlab/portlab/signature", name = nameOf(header), ...others } =
    given;
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    throw new SyntaxError(
      `Cannot read the command line as --name must be a name: current value is ${name}`,
    );
  }
  const { library, also, define, nullable, copied, kept, include } = others;
  return { header, name, importFrom, library, also, define, nullable, copied, kept, include };
}

/** Which of the header's names a library has. */
function symbolsOf(library: string, { functions, variables }: CHeader): (name: string) => boolean {
  const names = [...functions, ...variables].map(({ name }) => name);
  const wanted = names.map((name) => [name, { type: "pointer", optional: true }] as const);
  const { symbols } = Deno.dlopen(library, Object.fromEntries(wanted));
  return (name) => (symbols as Readonly<Record<string, unknown>>)[name] !== null;
}

function nameOf(header: string): string {
  return basename(header).replace(/\.\w+$/, "").replace(/[^A-Za-z0-9]/g, "_").replace(
    /^[_0-9]*(?=[A-Za-z])/,
    "",
  );
}

/** What the compiler makes of a program that includes the header alone. */
async function preprocess({ header, define, include }: DeclareCommand): Promise<string> {
  const path = await Deno.realPath(header).catch(() => undefined);
  const program = path ? `#include "${path}"\n` : `#include <${header}>\n`;
  const flags = [
    ...NO_WORDS.map((word) => `-D${word}=`),
    ...NO_CALLS.map((word) => `-D${word}(...)=`),
    ...define.map((one) => `-D${one}`),
    ...include.map((folder) => `-I${folder}`),
  ];
  const command = new Deno.Command("cc", {
    args: ["-E", ...flags, "-x", "c", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  let child: Deno.ChildProcess;
  try {
    child = command.spawn();
  } catch (cause) {
    throw new SyntaxError("Cannot read a header as there is no C compiler: install gcc or clang", {
      cause,
    });
  }
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (success) return text(stdout);
  throw new SyntaxError(
    `Cannot read ${header} as the compiler says: ${
      text(stderr).split("\n").find((line) => line.includes("error")) ?? text(stderr)
    }`,
  );
}
