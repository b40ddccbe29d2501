import { isTest, type Rule, type Source } from "./source.ts";
import { type Found, type Members, syntaxOf } from "./syntax.ts";

function isModule({ path }: Source): boolean {
  return path.endsWith(".ts");
}

/** Texts for readers: comments, and pages but the one that tells of the past. */
function commentsOf(source: Source): readonly Found[] {
  if (isModule(source)) return syntaxOf(source).comments;
  const isPage = source.path.endsWith(".md") && source.path !== "CHANGELOG.md";
  if (!isPage && !source.path.endsWith(".wgsl")) return [];
  return source.text.split("\n").flatMap((text, index) => {
    const what = isPage ? text : /\/\/(.*)/.exec(text)?.[1];
    return what === undefined ? [] : [{ what, line: index + 1 }];
  });
}

function* wordsOf(source: Source): Generator<string> {
  let code = source.text;
  for (const { what } of commentsOf(source)) code = code.replace(what, "");
  for (const [word] of code.matchAll(/[A-Za-z_]\w*/g)) yield word;
}

function* structsOf({ text }: Source): Generator<Members> {
  for (const [, what, fields] of text.matchAll(/^struct (\w+) \{([^}]*)\}/gm)) {
    const names = [...fields!.matchAll(/^ *(\w+):/gm)].map(([, name]) => name!);
    yield { what: what!, parents: [], names };
  }
}

/** What `Thing.member` may say of each name. */
class KnownMembers {
  readonly #names = new Map<string, Set<string>>();
  readonly #parents = new Map<string, Set<string>>();

  add({ what, parents, names }: Members): void {
    // Some names stand for several things, one for each protocol: any of their members will do.
    this.#names.set(what, new Set([...this.#names.get(what) ?? [], ...names]));
    this.#parents.set(what, new Set([...this.#parents.get(what) ?? [], ...parents]));
  }

  lacks(name: string, member: string): boolean {
    const names = this.#names.get(name);
    if (!names || names.has(member)) return false;
    return [...this.#parents.get(name)!].every((parent) => this.lacks(parent, member));
  }
}

/** A function that is called, a link, and camel case in a span of code. */
const NAMED =
  /(?<![\w.])#?([A-Za-z_]\w*)\(\)|\{@link(?:code)? (\w+)|`([a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*)`/g;

/**
 * What a comment names is there: `Thing.member` of what the tree declares, and functions that are
 * called, links and camel case in code spans. A name that is gone sends its reader nowhere.
 */
export function commentsNameWhatThereIs(sources: readonly Source[]): Rule {
  const members = new KnownMembers();
  const words = new Set<string>();
  for (const source of sources) {
    if (!/\.(ts|wgsl)$/.test(source.path)) continue;
    for (const one of isModule(source) ? syntaxOf(source).members : structsOf(source)) {
      if (!isTest(source.path)) members.add(one);
    }
    for (const word of wordsOf(source)) words.add(word);
  }
  return (source) =>
    commentsOf(source).flatMap(({ what, line }) => {
      const gone = [...what.matchAll(/\b([A-Z]\w+)\.#?([a-z]\w*)\b(?!\.\w)/g)]
        .filter(([, name, member]) => members.lacks(name!, member!));
      // Pages also name what others call so.
      const unknown = source.path.endsWith(".md") ? [] : [...what.matchAll(NAMED)]
        .filter(([, ...groups]) => !words.has(groups.find((group) => group)!));
      return [...gone, ...unknown].map(([name]) =>
        `${source.path}:${line} names ${name}, which is gone`
      );
    });
}
