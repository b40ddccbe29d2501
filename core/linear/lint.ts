import type { Finding } from "./lint/finding.ts";
import type { RuleName } from "./lint/flow/graph.ts";
import { SingleFiles } from "./lint/single_files.ts";

export type { RuleName };

/** The part of `Deno.lint.RuleContext` that the rules need. */
export interface LintContext {
  /** The path of the file that is linted. */
  readonly filename: string;
  /** What stands in it. */
  readonly sourceCode: { readonly text: string };
  /** Tells of one finding, with its place in the text. */
  report(
    finding: { readonly range: [number, number]; readonly message: string; readonly hint: string },
  ): void;
}

/** A rule of the plugin, as `deno lint` wants it. */
export interface LintRule {
  /** Begins the work on one file. */
  create(context: LintContext): { Program(): void };
}

const files = new SingleFiles();
/** One analysis serves all rules: they are asked about the same file in turn. */
let latest: { readonly key: string; readonly findings: readonly Finding[] } | undefined;

function findingsOf({ filename, sourceCode: { text } }: LintContext): readonly Finding[] {
  const path = filename.startsWith("/") ? filename : `${Deno.cwd()}/${filename}`;
  const key = `${path}\n${text}`;
  if (latest?.key !== key) latest = { key, findings: files.findingsIn(path, text) };
  return latest.findings;
}

function ruleOf(name: RuleName): LintRule {
  return {
    create: (context) => ({
      Program() {
        for (const { rule, node, message, hint } of findingsOf(context)) {
          if (rule === name) context.report({ range: [...node.range], message, hint });
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
