/** Compiles the C and C++ programs of tests, where a compiler is. */
import { ScratchFolder } from "../../testing/fixtures/scratch_folder.ts";

const compiler = ["g++", "c++", "clang++"].find((name) => {
  try {
    return new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
});

const ignore = Deno.build.os !== "linux" || compiler === undefined;

/** A test that compiles a program in a folder; skipped where there is no compiler, or no Linux. */
export function onCompiler(name: string, test: (folder: string) => Promise<void>): void {
  Deno.test({
    name: ignore ? `${name} (skipped: there is no g++ on Linux)` : name,
    ignore,
    async fn() {
      using folder = new ScratchFolder();
      await test(folder.path);
    },
  });
}

/** Compiles a program of C++ of `testdata/`; returns its path in the folder. */
export function compiled(folder: string, name: string): Promise<string> {
  const how = ["-x", "c++", "-std=c++20", "-pthread", "-I", folder];
  return compile(folder, name, [...how, source(`${name}.cpp`)]);
}

/** As {@linkcode compiled}, of C, with the headers in the folder. */
export function compiledC(folder: string, name: string): Promise<string> {
  const strict = ["-Wall", "-Wextra", "-Wno-sign-compare", "-Werror", "-I", folder];
  return compile(folder, name, ["-x", "c", "-std=gnu11", ...strict, source(`${name}.c`)]);
}

function source(file: string): string {
  return new URL(`../testdata/${file}`, import.meta.url).pathname;
}

async function compile(folder: string, name: string, what: readonly string[]): Promise<string> {
  const program = `${folder}/${name}`;
  const args = ["-O1", "-o", program, ...what];
  const { success, stderr } = await new Deno.Command(compiler!, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return program;
}
