import { fromFileUrl, join, relative } from "@std/path";

/**
 * Where records and pictures go when nobody says: `results` of this project for who calls from a folder
 * within it, else `results` in the folder of the call.
 *
 * @param from the folder of the call; the working folder when absent
 *
 * @example
 * ```ts
 * import { resultsFolder } from "./results_folder.ts";
 * if (resultsFolder("/somewhere/else") !== "results") throw new Error("a folder of its own");
 * ```
 */
export function resultsFolder(from: string = Deno.cwd()): string {
  const url = new URL("../../../", import.meta.url);
  if (url.protocol !== "file:") return "results";
  const root = fromFileUrl(url);
  const below = relative(root, from);
  return below.startsWith("..") ? "results" : relative(from, join(root, "results")) || ".";
}
