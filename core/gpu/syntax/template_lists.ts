import type { Token } from "./tokens.ts";

/** A `<` behind a name that may open a template list, and how many brackets were open there. */
interface Candidate {
  readonly token: Token;
  readonly depth: number;
}

/**
 * Gives the `<` and `>` of template lists, as in `vec2<f32>`, the kind `template`; the others
 * compare or shift. The rule is that of the WGSL specification, "Template lists".
 */
export function markTemplateLists(tokens: readonly Token[]): void {
  const pending: Candidate[] = [];
  let depth = 0;
  const dropFrom = (from: number) => {
    while ((pending.at(-1)?.depth ?? -1) >= from) pending.pop();
  };
  tokens.forEach((token, at) => {
    if (token.kind !== "mark") return;
    switch (token.text) {
      case "<":
        if (tokens[at - 1]?.kind === "name") pending.push({ token, depth });
        return;
      case ">":
        if (pending.at(-1)?.depth !== depth) return;
        pending.pop()!.token.kind = "template";
        token.kind = "template";
        return;
      case "(":
      case "[":
        depth += 1;
        return;
      case ")":
      case "]":
        dropFrom(depth);
        depth = Math.max(0, depth - 1);
        return;
      case ";":
      case "{":
      case ":":
      case "=":
        depth = 0;
        pending.length = 0;
        return;
      case "&&":
      case "||":
        dropFrom(depth);
    }
  });
}
