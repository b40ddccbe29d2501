import { errorReport } from "../../call/error_report.ts";
import { shown } from "../../signature/wire/slot.ts";
import { nameHint } from "../../text/nearest.ts";

/** Arguments as the host's function gets them: texts, numbers, byte arrays, objects for handles. */
// deno-lint-ignore no-explicit-any -- what they are depends on the function that the rule is for.
export type RuleValues = any[];

/** What a rule says of a call: nothing when it is not meant. */
export type PolicyAnswer = "allow" | "deny" | readonly unknown[] | undefined;

/** One line of a policy; made by {@linkcode allow}, {@linkcode deny} and {@linkcode rewrite}. */
export interface Rule {
  /** `files.fopen`, all functions of an API as `files.*`, or `*`. */
  readonly calls: string;
  /** Whether it can only deny. */
  readonly isDenial: boolean;
  /** Whether it looks at arguments. */
  readonly isConditional: boolean;
  /** Says what becomes of a call. */
  judge(...values: RuleValues): PolicyAnswer;
}

/** Which calls a guest may make: the first rule that is meant decides; without one, a call is denied. */
export type Policy = readonly Rule[];

/** What becomes of a call. */
export interface Verdict {
  readonly kind: "allow" | "deny" | "rewrite";
  /** The arguments with which it is made. */
  readonly values: readonly unknown[];
  /** How a rule failed: then the call is denied. */
  readonly error?: string;
}

/**
 * Lets calls through: all of these functions, or those for whose arguments `when` says true.
 *
 * @example
 * ```ts
 * import { allow, deny, type Policy, rewrite } from "./policy.ts";
 * const policy: Policy = [
 *   deny("files.fopen", (path) => path.endsWith(".key")),
 *   allow("files.fopen", (_path, mode) => mode === "r"),
 *   rewrite("system.sleep", (seconds) => [Math.min(seconds, 1)]),
 *   allow("files.fread"),
 *   allow("math.*"),
 * ];
 * ```
 */
export function allow(calls: string, when?: (...values: RuleValues) => boolean): Rule {
  return rule(calls, { verdict: "allow", when });
}

/** Refuses calls: all of these functions, or those for whose arguments `when` says true. */
export function deny(calls: string, when?: (...values: RuleValues) => boolean): Rule {
  return rule(calls, { verdict: "deny", when });
}

/** Lets calls through with other arguments; where `change` gives none, the next rule decides. */
export function rewrite(
  calls: string,
  change: (...values: RuleValues) => readonly unknown[] | undefined,
): Rule {
  return { calls, isDenial: false, isConditional: true, judge: change };
}

function rule(
  calls: string,
  { verdict, when }: { verdict: "allow" | "deny"; when: Condition | undefined },
): Rule {
  return {
    calls,
    isDenial: verdict === "deny",
    isConditional: when !== undefined,
    judge: (...values) => !when || isTrue(when(...values), calls) ? verdict : undefined,
  };
}

type Condition = (...values: RuleValues) => boolean;

/** Neither yes nor no, such as a promise or what `match()` gives, must not let a call past a denial. */
function isTrue(answer: unknown, calls: string): boolean {
  if (typeof answer === "boolean") return answer;
  forget(answer);
  throw new TypeError(
    `Cannot follow the rule for ${calls} as it must say true or false: current type is ${typeof answer}`,
  );
}

/** Of a promise that was refused, nobody needs to hear how it ends. */
function forget(answer: unknown): void {
  Promise.resolve(answer).catch(() => {});
}

function isMeant({ calls }: Rule, name: string): boolean {
  return calls === "*" || calls === name ||
    (calls.endsWith(".*") && name.startsWith(calls.slice(0, -1)));
}

/** What a policy says of a call of a function, by its name `api.function`. */
export function judge(policy: Policy, name: string, values: readonly unknown[]): Verdict {
  try {
    for (const rule of policy) {
      const answer = isMeant(rule, name) ? rule.judge(...values) : undefined;
      if (answer === undefined) continue;
      if (typeof answer === "string") return { kind: answer, values };
      if (Array.isArray(answer) && answer.length === values.length) {
        return { kind: "rewrite", values: answer };
      }
      forget(answer);
      throw new TypeError(
        `Cannot rewrite ${name} as its rule must give an array of ${values.length} arguments`,
      );
    }
    return { kind: "deny", values };
  } catch (error) {
    const { message } = errorReport(error);
    return { kind: "deny", values, error: `the policy failed: ${message}` };
  }
}

/** Whether some call of the function may be let through; else it need not exist for the guest. */
export function isAdmitted(policy: Policy, name: string): boolean {
  const first = policy.find((rule) =>
    isMeant(rule, name) && !(rule.isDenial && rule.isConditional)
  );
  return first !== undefined && !first.isDenial;
}

/**
 * Checks that a policy is one, before anything is started.
 *
 * @throws {TypeError} when it is no array of rules
 */
export function checkRules(policy: Policy): void {
  const isRule = (rule: unknown) => {
    const { calls, judge } = Object(rule) as Partial<Rule>;
    return typeof calls === "string" && typeof judge === "function";
  };
  if (Array.isArray(policy) && policy.every(isRule)) return;
  const wrong: unknown = Array.isArray(policy) ? policy.find((rule) => !isRule(rule)) : policy;
  throw new TypeError(
    `Cannot follow the policy as it must be an array of what allow(), deny() and rewrite() give: current value is ${
      shown(wrong)
    }`,
  );
}

/**
 * Checks that each rule means a function that there is: a wrong name would let through or refuse nothing.
 *
 * @throws {RangeError} with the nearest name
 */
export function checkPolicy(policy: Policy, names: readonly string[]): void {
  const idle = policy.find((rule) => !names.some((name) => isMeant(rule, name)));
  if (!idle) return;
  throw new RangeError(
    `Cannot follow the rule for ${idle.calls} as there is no such function: ${
      nameHint(idle.calls, names)
    }`,
  );
}
