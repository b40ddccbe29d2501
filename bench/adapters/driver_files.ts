import { basename, join } from "@std/path";

/** A Vulkan driver's description, as the Vulkan loader finds it. */
export interface DriverFile {
  readonly name: string;
  readonly path: string;
}

/**
 * The Vulkan drivers that are installed on this machine: the JSON files in the folders where the
 * loader of Linux looks. Empty on systems whose graphics need no such files.
 */
export function driverFiles(): DriverFile[] {
  const home = Deno.env.get("HOME") ?? "";
  const shares = (Deno.env.get("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(":");
  const folders = ["/etc", join(home, ".local", "share"), ...shares]
    .map((parent) => join(parent, "vulkan", "icd.d"));
  const paths = [...new Set(folders)].flatMap(jsonFilesOf);
  return paths.map((path) => ({ name: basename(path, ".json"), path }));
}

function jsonFilesOf(folder: string): string[] {
  try {
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
