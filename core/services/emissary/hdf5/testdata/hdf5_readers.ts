/** What h5dump reads of a file. */
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
