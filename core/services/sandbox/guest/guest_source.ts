/**
 * Loads the script of a guest, with the host's permissions.
 *
 * @param limitBytes the longest that is taken
 * @throws {RangeError} when it is longer
 * @throws {SyntaxError} when the word `import` is in it
 */
export async function guestSource(url: string | URL, limitBytes: number): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`Cannot load the guest ${shortened(url)}: ${response.statusText}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!(bytes.length <= limitBytes)) {
    throw new RangeError(
      `Cannot load the guest ${
        shortened(url)
      } as it may have ${limitBytes} bytes: current value is ${bytes.length}`,
    );
  }
  const source = new TextDecoder().decode(bytes);
  checkSource(source, shortened(url));
  return source;
}

/**
 * Checks that a script cannot load modules: `import()` is all that can, as a script has no import
 * statements, and it is a keyword, which cannot be written with escapes. The runtime would ask the
 * registry of npm for any name that the guest makes up.
 *
 * @throws {SyntaxError} when the word is in it, also in a text or a comment
 */
export function checkSource(source: string, name: string): void {
  const found = /\bimport\b/.exec(source);
  if (!found) return;
  const line = source.slice(0, found.index).split("\n").length;
  throw new SyntaxError(
    `Cannot run the guest ${name} as the word import is in it, at line ${line}: bundle its modules into one script, and write a text as "im" + "port"`,
  );
}

/** Of a `data:` URL, not all. */
function shortened(url: string | URL): string {
  return String(url).slice(0, 200);
}
