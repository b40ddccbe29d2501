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

/** Compiles a program of `testdata/`; returns its path in the folder. */
export async function compiled(folder: string, name: string): Promise<string> {
  const source = new URL(`../testdata/${name}.cpp`, import.meta.url).pathname;
  const program = `${folder}/${name}`;
  const args = ["-O1", "-std=c++20", "-pthread", "-o", program, source];
  const { success, stderr } = await new Deno.Command(compiler!, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return program;
}
