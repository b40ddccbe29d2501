import type { RuleName } from "./lint/finding.ts";
import { type FixableFinding, SingleFiles } from "./lint/single_files.ts";

export type { RuleName };

/** The part of `Deno.lint.RuleContext` that the rules need. */
export interface LintContext {
  /** The path of the file that is linted. */
  readonly filename: string;
  /** What stands in it. */
  readonly sourceCode: { readonly text: string };
  /** Tells of one finding, with its place in the text. */
  report(
    finding: {
      readonly range: [number, number];
      readonly message: string;
      readonly hint: string;
      fix?(fixer: LintFixer): Iterable<LintEdit>;
    },
  ): void;
}

/** The part of `Deno.lint.Fixer` that the rules need. */
export interface LintFixer {
  /** Puts a text in the place of another one. */
  replaceTextRange(range: [number, number], text: string): LintEdit;
}

/** `Deno.lint.Fix`. */
export interface LintEdit {
  /** Where the text begins and ends that is replaced. */
  readonly range: [number, number];
  /** What comes in its place. */
  readonly text?: string;
}

/** A rule of the plugin, as `deno lint` wants it. */
export interface LintRule {
  /** Begins the work on one file. */
  create(context: LintContext): { Program(): void };
}

const files = new SingleFiles();
/** One analysis serves all rules: they are asked about the same file in turn. */
let latest: { readonly key: string; readonly findings: readonly FixableFinding[] } | undefined;

function findingsOf({ filename, sourceCode: { text } }: LintContext): readonly FixableFinding[] {
  const path = filename.startsWith("/") ? filename : `${Deno.cwd()}/${filename}`;
  const key = `${path}\n${text}`;
  if (latest?.key !== key) latest = { key, findings: files.findingsIn(path, text) };
  return latest.findings;
}

function ruleOf(name: RuleName): LintRule {
  return {
    create: (context) => ({
      Program() {
        for (const { rule, range, message, hint, edits } of findingsOf(context)) {
          if (rule !== name) continue;
          context.report({
            range,
            message,
            hint,
            ...edits.length > 0 && {
              fix: (fixer) => edits.map(({ range, text }) => fixer.replaceTextRange(range, text)),
            },
          });
        }
      },
    }),
  };
}

/**
 * The lint plugin that makes typed ports linear: used exactly once, on every path.
 *
 * | rule | reports |
 * | --- | --- |
 * | `linear/use-after-move` | a port is used after something consumed it |
 * | `linear/double-move` | a port is consumed twice |
 * | `linear/unconsumed-port` | some path drops a port: a missing `close` |
 * | `linear/unchecked-maybe` | a `Maybe` or `Either` is opened before it was looked at |
 *
 * Where a port is lost, kept by who will have a closed one, or dropped, and the code around allows it,
 * `deno lint --fix` and editors can mend it.
 *
 * Name it in `deno.json`, by path or by URL:
 *
 * ```json
 * { "lint": { "plugins": ["./core/linear/lint.ts"] } }
 * ```
 */
const plugin: { readonly name: string; readonly rules: Readonly<Record<RuleName, LintRule>> } = {
  name: "linear",
  rules: {
    "use-after-move": ruleOf("use-after-move"),
    "double-move": ruleOf("double-move"),
    "unconsumed-port": ruleOf("unconsumed-port"),
    "unchecked-maybe": ruleOf("unchecked-maybe"),
  },
};

// `deno lint` takes a plugin from the default export.
export default plugin;
