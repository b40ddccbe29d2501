import { analyse } from "./lint/analysis.ts";
import type { Finding } from "./lint/finding.ts";
import type { RuleName } from "./lint/flow/graph.ts";
import { type PackedNode, SyntaxNode } from "./lint/syntax/syntax.ts";

export type { PackedNode, RuleName };

/** The part of `Deno.lint.RuleContext` that the rules need. */
export interface LintContext {
  /** The file that is linted. */
  readonly sourceCode: { readonly text: string };
  /** Tells of one finding, with its place in the text. */
  report(
    finding: { readonly range: [number, number]; readonly message: string; readonly hint: string },
  ): void;
}

/** A rule of the plugin, as `deno lint` wants it. */
export interface LintRule {
  /** Begins the work on one file. */
  create(context: LintContext): { Program(program: PackedNode): void };
}

/** One analysis serves all rules: they see the same tree. */
const analyses = new WeakMap<PackedNode, readonly Finding[]>();

function findingsOf(program: PackedNode, text: string): readonly Finding[] {
  const known = analyses.get(program);
  if (known) return known;
  const findings = analyse(new SyntaxNode(program), text);
  analyses.set(program, findings);
  return findings;
}

function ruleOf(name: RuleName): LintRule {
  return {
    create: (context) => ({
      Program(program) {
        for (const { rule, node, message, hint } of findingsOf(program, context.sourceCode.text)) {
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
