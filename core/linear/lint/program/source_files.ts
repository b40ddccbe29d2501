/** The source files that are named, and those in folders that are named. */
export function filesAt(named: readonly string[], excluded: readonly string[]): readonly string[] {
  const paths = named.map((one) => Deno.realPathSync(one)).flatMap((one) =>
    Deno.statSync(one).isDirectory ? filesIn(one, excluded).toSorted() : [one]
  );
  return [...new Set(paths)];
}

function filesIn(folder: string, excluded: readonly string[]): readonly string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    const isOut = excluded.some((one) => `${path}/`.startsWith(one.replace(/\/?$/, "/")));
    if (/^(?:\.|node_modules$)/.test(name) || isOut) return [];
    if (isDirectory) return filesIn(path, excluded);
    return /(?<!\.d)\.[cm]?[jt]sx?$/.test(name) ? [path] : [];
  });
}
