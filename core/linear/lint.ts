import type { Finding, RuleName } from "./lint/finding.ts";
import { configurationFor } from "./lint/program/configuration.ts";
import { Modules } from "./lint/program/modules.ts";
import { Project } from "./lint/program/project.ts";
import { filesAt } from "./lint/program/source_files.ts";

export type { RuleName };

/** The part of `Deno.lint.RuleContext` that the rules need. */
export interface LintContext {
  /** The path of the file that is linted. */
  readonly filename: string;
  /** What stands in it. */
  readonly sourceCode: { readonly text: string };
  /** Tells of one finding, with its place in the text. */
  report(finding: { range: [number, number]; message: string; hint: string }): void;
}

/** A rule of the plugin, as `deno lint` wants it. */
export interface LintRule {
  /** Begins the work on one file. */
  create(context: LintContext): { Program(): void };
}

/** The files of one `deno.json` that were asked for. */
interface Folder {
  readonly modules: Modules;
  readonly project: Project;
  readonly files: Set<string>;
}

const folders = new Map<string, Folder>();
/** One analysis serves all rules: they are asked about the same file in turn. */
let latest: { readonly key: string; readonly findings: readonly Finding[] } | undefined;

function findingsIn(path: string, text: string): readonly Finding[] {
  const config = configurationFor(path.replace(/\/[^/]*$/, ""));
  const key = config?.path ?? "";
  const modules = new Modules(config);
  const folder = folders.get(key) ?? { modules, project: new Project(modules), files: new Set() };
  folders.set(key, folder);
  const { project, files } = folder;
  folder.modules.edited = { path, text };
  if (!project.hasPorts(path)) return [];
  if (files.size === 1 && !files.has(path) && config) { // whoever asks for a second file asks for all
    const all = filesAt([config.path.replace(/\/[^/]*$/, "")], config.excluded);
    for (const one of all) if (project.hasPorts(one)) files.add(one);
  }
  project.load([...files.add(path)]);
  return project.findingsIn(path);
}

function ruleOf(name: RuleName): LintRule {
  const run = (context: LintContext) => {
    const { filename, sourceCode: { text } } = context;
    const path = filename.startsWith("/") ? filename : `${Deno.cwd()}/${filename}`;
    const key = `${path}\n${text}`;
    if (latest?.key !== key) latest = { key, findings: findingsIn(path, text) };
    for (const { rule, node, message, hint } of latest.findings) {
      if (rule === name) context.report({ range: [node.getStart(), node.end], message, hint });
    }
  };
  return { create: (context) => ({ Program: () => run(context) }) };
}

/**
 * The lint plugin that makes typed ports linear: used exactly once, on every path of a function.
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
