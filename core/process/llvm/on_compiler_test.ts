/** Compiles the C and C++ programs of tests, where a compiler is. */

const compiler = ["g++", "c++", "clang++"].find((name) => {
  try {
    return new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
});

/** Why tests that need a compiler are skipped; nothing where they are not. */
export const ignore = Deno.build.os !== "linux" || compiler === undefined;
if (ignore) console.log("Skipping programs of C++: there is no g++ on Linux");

/** Compiles a program of C++ of `testdata/`; returns its path in the folder. */
export function compiled(folder: string, name: string): Promise<string> {
  return compile(folder, name, [
    "-x",
    "c++",
    "-std=c++20",
    "-pthread",
    "-I",
    folder,
    source(`${name}.cpp`),
  ]);
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
