/**
 * The names that a CommonJS script is given by who loads it: in a bundle, which is one module,
 * nobody does, and the compiler looks for its own file by them. To be imported before it.
 *
 * @module
 */
const { filename = "/linear_lint.js", dirname = "/" } = import.meta;
const scope: Record<string, unknown> = globalThis;
scope.__filename ??= filename;
scope.__dirname ??= dirname;
