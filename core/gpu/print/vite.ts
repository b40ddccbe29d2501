/**
 * A plug-in of Vite for shaders in files: `import code from "./blur.wgsl"` gives the text, with the name
 * of its file for what it prints.
 *
 * @module
 */

/** A plug-in, as Vite takes it. */
export interface WgslPlugin {
  /** What Vite calls it. */
  readonly name: string;
  /** Called with the root of the project before anything is transformed. */
  readonly configResolved: (config: { readonly root: string }) => void;
  /** Makes a module of a file's text; `undefined` for other files. */
  readonly transform: (
    code: string,
    id: string,
  ) => { readonly code: string; readonly map: null } | undefined;
}

/**
 * Lets a page import `.wgsl` files as texts. Each ends with a comment that names its file, by which
 * `instrument()` names what it prints; a label of the author's goes before. When a file changes, a module
 * that accepts it, by `import.meta.hot.accept("./blur.wgsl", ({ default: code }) => ...)`, gets the new
 * text and makes its pipelines of that; else the page begins anew.
 *
 * @example
 * ```ts
 * import { wgsl } from "./vite.ts"; // in vite.config.ts: from "portlab/vite"
 * const config = { plugins: [wgsl()] };
 * config.plugins[0]!.configResolved({ root: "/project" });
 * const made = config.plugins[0]!.transform("fn f() {}", "/project/src/f.wgsl");
 * if (!made!.code.includes("//# sourceURL=src/f.wgsl")) throw new Error(made!.code);
 * ```
 */
export function wgsl(): WgslPlugin {
  let root = "";
  return {
    name: "portlab-wgsl",
    configResolved: (config) => {
      root = config.root.replace(/\/?$/, "/");
    },
    transform: (code, id) => {
      // A query such as ?raw or ?url asks for something else.
      if (!id.endsWith(".wgsl")) return undefined;
      const file = id.startsWith(root) ? id.slice(root.length) : id;
      const named = `${code.trimEnd()}\n//# sourceURL=${file}\n`;
      return { code: `export default ${JSON.stringify(named)};`, map: null };
    },
  };
}
