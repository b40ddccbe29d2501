/** Where Deno keeps what it fetched.
 *
 * @module
 */
/** What is in a folder, which need not be there. */
export function namesIn(folder: string): readonly string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The folder of what Deno keeps. */
export function denoFolder(): string {
  const home = Deno.env.get("HOME") ?? "";
  const caches = Deno.env.get("XDG_CACHE_HOME") ?? Deno.env.get("LOCALAPPDATA") ??
    (Deno.build.os === "darwin" ? `${home}/Library/Caches` : `${home}/.cache`);
  return Deno.env.get("DENO_DIR") ?? `${caches}/deno`;
}

/** The folders in which Deno may keep a version of a package: `name/1.0.0`. */
export function packageFolders(version: string): readonly string[] {
  const kept = `${denoFolder()}/npm`;
  return namesIn(kept).map((host) => `${kept}/${host}/${version}`);
}
