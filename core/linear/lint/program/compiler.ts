/**
 * The compiler, and the library that gives its trees the shape of ESTree. Named in full, since the
 * rules are loaded by URL, where no import map is.
 *
 * @module
 */
// deno-lint-ignore-file no-import-prefix
import "./script_names.ts";
import ts from "npm:typescript@6.0.3";

export { astConverter } from "npm:@typescript-eslint/typescript-estree@8.73.0/use-at-your-own-risk";
export { ts };
