import source from "./toggle.c" with { type: "text" };

const SYMBOLS = {
  channel_create: { parameters: ["u32", "u32", "u32"], result: "pointer" },
  channel_open: { parameters: ["buffer", "u32", "u32"], result: "pointer" },
  channel_free: { parameters: ["pointer"], result: "void" },
  client_run: { parameters: ["pointer", "u32"], result: "u32" },
  client_rest: { parameters: ["pointer"], result: "void" },
  server_run: { parameters: ["pointer"], result: "void" },
  server_rest: { parameters: ["pointer", "u32"], result: "void" },
} as const;

export type NativeLibrary = Deno.DynamicLibrary<typeof SYMBOLS>;

const COMPILER = "cc";
const OPTIONS = ["-O3", "-shared", "-fPIC", "-x", "c", "-"];

/** Whether a program of that name runs here: asked once for each name. */
const runs = new Map<string, boolean>();

/**
 * Why `toggle.c` cannot be compiled here; undefined where it can.
 *
 * @param compiler the name of the program; `cc` when absent
 */
export function compilerProblem(compiler = COMPILER): string | undefined {
  const isThere = runs.get(compiler) ?? tryToRun(compiler);
  runs.set(compiler, isThere);
  return isThere ? undefined : `there is no C compiler by the name of ${compiler}`;
}

function tryToRun(compiler: string): boolean {
  try {
    return new Deno.Command(compiler, { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false; // no such program, or no permission to run it
  }
}

/** A library in a folder of its own, which goes when it is disposed of. */
export interface CompiledLibrary extends AsyncDisposable {
  /** Where {@linkcode openNative} finds it, in every isolate of this process. */
  readonly path: string;
}

/**
 * Compiles `toggle.c`, or another text.
 *
 * @param options of the compiler, such as the libraries of another text
 *
 * @throws {Error} with what the compiler says, when it refuses the text
 */
export async function compileNative(
  text: string = source,
  options: readonly string[] = [],
): Promise<CompiledLibrary> {
  const folder = await Deno.makeTempDir({ prefix: "portlab_native_" });
  const compiled = {
    path: `${folder}/toggle.so`,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
  const said = await runCompiler(text, ["-o", compiled.path, ...options]);
  if (said === undefined) return compiled;
  await compiled[Symbol.asyncDispose]();
  throw new Error(`Cannot compile the native calls as ${COMPILER} refuses them: ${said}`);
}

/** Returns what the compiler complains about; undefined when it is content. */
async function runCompiler(
  text: string,
  options: readonly string[],
): Promise<string | undefined> {
  const child = new Deno.Command(COMPILER, {
    args: [...OPTIONS, ...options],
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stderr } = await child.output();
  return success ? undefined : new TextDecoder().decode(stderr).trim();
}

/** The functions of a compiled library. The threads of a process share what these make. */
export function openNative(path: string): NativeLibrary {
  return Deno.dlopen(path, SYMBOLS);
}
