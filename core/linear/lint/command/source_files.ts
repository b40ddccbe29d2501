/** Files of a program, by their endings; a file of types runs nothing. */
export const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** Folders of others' code and of tools. */
const SKIPPED = /^(?:\.|node_modules$)/;

/**
 * The source files that are named, and those in folders that are named.
 *
 * @param excluded paths that are left out where a folder is searched
 * @throws {Error} when there is no such file or folder
 */
export function filesAt(
  named: readonly string[],
  excluded: readonly string[],
): readonly string[] {
  const found = named.flatMap((one) => {
    const path = existing(one);
    return Deno.statSync(path).isDirectory ? filesIn(path, excluded) : [path];
  });
  return [...new Set(found)];
}

function existing(named: string): string {
  try {
    return Deno.realPathSync(named);
  } catch (cause) {
    const reason = cause instanceof Deno.errors.NotFound ? "nothing is there" : `${cause}`;
    throw new Error(`Cannot check ${named} as a file or folder: current value is ${reason}`, {
      cause,
    });
  }
}

function filesIn(folder: string, excluded: readonly string[]): readonly string[] {
  return [...Deno.readDirSync(folder)].toSorted((left, right) => left.name < right.name ? -1 : 1)
    .flatMap(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      if (SKIPPED.test(name) || excluded.some((one) => isInside(path, one))) return [];
      if (isDirectory) return filesIn(path, excluded);
      return SOURCE.test(name) ? [path] : [];
    });
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.replace(/\/?$/, "/"));
}
