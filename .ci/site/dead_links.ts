import { dirname, join, normalize, resolve, toFileUrl } from "@std/path";
import { listPaths } from "../tidy/source.ts";

/** Links of the pages in a folder that lead to no file of it, or to no place of a page. */
export function deadLinksIn(folder: string): string[] {
  const pages = new Map(
    // The documentation of the API is another program's: where it is led to is looked at.
    listPaths(toFileUrl(`${resolve(folder)}/`))
      .filter((path) => path.endsWith(".html") && !path.startsWith("api/"))
      .map((path) => [path, Deno.readTextFileSync(join(folder, path))]),
  );
  const names = new Map<string, Set<string>>();
  const namesOf = (path: string) => {
    const known = names.get(path) ??
      new Set([...pages.get(path)!.matchAll(/\sid="([^"]+)"/g)].map(([, name]) => name!));
    names.set(path, known);
    return known;
  };
  return [...pages].flatMap(([path, text]) => {
    const own = text.replaceAll(/<(script|pre|code)\b[^]*?<\/\1>/g, "");
    const links = [...own.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href!);
    return [...new Set(links)].filter((href) => isDead(path, href)).map((href) =>
      `${path} leads to ${href}`
    );
  });

  function isDead(path: string, href: string): boolean {
    if (/^\w+:/.test(href)) return false;
    const [target = "", name] = href.replaceAll("&#x2F;", "/").split("#");
    const place = target === "" ? path : normalize(join(dirname(path), decodeURI(target)));
    if (!pages.has(place)) return !isFile(join(folder, place));
    return name !== undefined && !namesOf(place).has(decodeURIComponent(name));
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
