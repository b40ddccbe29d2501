import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import type { TextEdit } from "../../syntax/wgsl_text.ts";
import type { AssertCall } from "./assert_calls.ts";
import type { CallGraph } from "./call_graph.ts";
import type { DebugRewrite } from "./debug_rewrite.ts";

/** Functions without records. */
export interface PlainFunctions {
  /** Those that no stage reaches that can record. */
  readonly others: readonly FunctionDeclaration[];
  /** Those that vertex stages share with stages that record. */
  readonly shared: ReadonlySet<FunctionDeclaration>;
}

/**
 * Removes the asserts of functions that no stage reaches which can record, and lets vertex stages call
 * copies of shared functions without records.
 */
export class PlainCopies {
  readonly #rewrite: DebugRewrite;
  readonly #graph: CallGraph;
  readonly #asserts: readonly AssertCall[];

  /** @param asserts of the text */
  constructor(rewrite: DebugRewrite, graph: CallGraph, asserts: Iterable<AssertCall>) {
    this.#rewrite = rewrite;
    this.#graph = graph;
    this.#asserts = [...asserts];
  }

  /** Adds the edits and the copies to the rewritten text. */
  write({ others, shared }: PlainFunctions): void {
    const { text, edits } = this.#rewrite;
    for (const one of others) edits.push(...this.#plainEdits(one, shared));
    for (const one of shared) {
      const { whole, name } = one;
      const renamed = this.#replaced(text.tokens.indexOf(name), this.#plain(name.text));
      const all = text.edited([renamed, ...this.#plainEdits(one, shared)]);
      const [start, end] = [whole.start, whole.end].map((at) => text.tokens[at]?.index);
      const added = all.length - text.source.length;
      const written = all.slice(start, (end ?? text.source.length) + added);
      this.#rewrite.helper(`plain ${name.text}`, () => written);
    }
  }

  #plain(name: string): string {
    return `${this.#rewrite.prefix}plain_${name}`;
  }

  #plainEdits({ body }: FunctionDeclaration, shared: ReadonlySet<FunctionDeclaration>): TextEdit[] {
    const { tokens } = this.#graph.text;
    const asserts = this.#asserts.filter(({ at }) => at >= body.start && at < body.end);
    const blanks = asserts.flatMap(({ at, end }) =>
      tokens.slice(at, end + 1).map(({ text }, offset) =>
        this.#replaced(at + offset, " ".repeat(text.length))
      )
    );
    const calls = this.#graph.calls.filter(({ at, callee }) =>
      at >= body.start && at < body.end && shared.has(callee) &&
      !asserts.some((one) => at > one.at && at < one.end)
    );
    const renamed = calls.map(({ at, callee }) =>
      this.#replaced(at, this.#plain(callee.name.text))
    );
    return [...blanks, ...renamed];
  }

  #replaced(token: number, text: string): TextEdit {
    const { index, text: old } = this.#graph.text.tokens[token]!;
    return { index, end: index + old.length, text };
  }
}
