import { mutantId } from "./edits/mutation.ts";
import { report } from "./report.ts";
import { readResults, type Result, writeResults } from "./results.ts";
import { listMutants, readEquivalents, ROOT } from "./tree.ts";

/** The results that are committed, and the page that tells of them. */
const RECORD = `${ROOT}.ci/mutants/record.jsonl`;
const PAGE = `${ROOT}docs/mutants.md`;
/** What is behind this line of the page is written by `accept()`. */
const MARK = "<!-- What follows is written by: deno task mutants --accept FILE -->\n";

/** The committed results. */
export function readRecord(): Result[] {
  return [...readResults(Deno.readTextFileSync(RECORD)).values()];
}

/** The page as the committed results have it: its own words, then the report. */
export function pageOf(page: string, results: readonly Result[]): string {
  const own = page.slice(0, page.indexOf(MARK) + MARK.length);
  return `${own}\n${report(results, readEquivalents())}`.trimEnd() + "\n";
}

/** Takes results of mutants that the tree still has into the record, in place of those that it held. */
export function accept(path: string): void {
  const ids = new Set([...listMutants("core"), ...listMutants("wgsl")].map(mutantId));
  const merged = new Map(
    [RECORD, path].flatMap((one) => [...readResults(Deno.readTextFileSync(one))]),
  );
  const results = [...merged].filter(([id]) => ids.has(id)).map(([, result]) => result);
  Deno.writeTextFileSync(RECORD, writeResults(results));
  Deno.writeTextFileSync(PAGE, pageOf(Deno.readTextFileSync(PAGE), readRecord()));
}
