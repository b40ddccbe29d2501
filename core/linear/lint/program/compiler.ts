/**
 * The compiler. Named in full, since the rules are loaded by URL, where no import map is.
 *
 * @module
 */
// deno-lint-ignore-file no-import-prefix
import "./script_names.ts";
import ts from "npm:typescript@6.0.3";

export { ts };
