import { dirname } from "@std/path";

/**
 * Writes a file that appears under its name when it is whole, in a folder that is made where there is
 * none. A file that was there before is replaced, or left as it was when writing fails.
 *
 * @param content a text, bytes, or texts that follow one another
 * @throws {Error} which names the file and says what the system says; nothing is left behind
 *
 * @example
 * ```ts
 * import { writeWhole } from "./write_whole.ts";
 * const folder = await Deno.makeTempDir();
 * await writeWhole(`${folder}/new/page.html`, "<p>whole");
 * if (await Deno.readTextFile(`${folder}/new/page.html`) !== "<p>whole") throw new Error("whole");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeWhole(
  path: string,
  content: string | Uint8Array | Iterable<string>,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await writeParts(part, typeof content === "object" ? content : [content]);
    await Deno.rename(part, path);
  } catch (cause) {
    await Deno.remove(part).catch(() => {});
    throw new Error(`Cannot write ${path} as the system says "${systemText(cause)}"`, { cause });
  }
}

async function writeParts(path: string, content: Uint8Array | Iterable<string>): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  for (const part of content instanceof Uint8Array ? [content] : content) {
    const bytes = typeof part === "string" ? encoder.encode(part) : part;
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
  }
  await file.sync();
}

/** What the system says of a file, without the call and the path that Deno adds. */
export function systemText(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.replace(/: \w+ '.*$/, "");
}
