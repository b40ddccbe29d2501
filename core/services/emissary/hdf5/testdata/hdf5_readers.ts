/** What others read of a file: h5dump, and h5wasm by its own functions. */
import * as h5wasm from "h5wasm";

/** What h5dump writes of a file; `undefined` where it is not installed. */
export async function dumped(path: string, ...options: string[]): Promise<string | undefined> {
  try {
    const args = ["-m", "%.17g", ...options, path];
    const { stdout } = await new Deno.Command("h5dump", { args, stderr: "null" }).output();
    return new TextDecoder().decode(stdout);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The numbers between the braces of `DATA`, without their places. */
export function valuesIn(dump: string): number[] {
  const [, data = ""] = /DATA \{([^}]*)\}/.exec(dump) ?? [];
  return data.replace(/\([\d,]+\):/g, "").split(",").map(Number);
}

/** The numbers of a dataset, as h5wasm reads them. */
export async function valuesOf(path: string, dataset: string): Promise<number[]> {
  const { FS } = await h5wasm.ready;
  FS.writeFile("/reader.h5", Deno.readFileSync(path));
  const file = new h5wasm.File("/reader.h5", "r");
  try {
    const { value } = file.get(dataset) as h5wasm.Dataset;
    return [...value as Float64Array];
  } finally {
    file.close();
    FS.unlink("/reader.h5");
  }
}
