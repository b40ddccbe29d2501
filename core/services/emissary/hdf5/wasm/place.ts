import type { WasmFile } from "./wasm_file.ts";

/** A file's root, a group or a dataset, as h5wasm finds it: by its path. */
export class Place {
  readonly file: WasmFile;
  /** From the root, with no slash at its end but that of the root. */
  readonly path: string;

  constructor(file: WasmFile, path: string) {
    this.file = file;
    this.path = path;
  }

  /** The path of a name that is looked for from here. */
  pathOf(name: string): string {
    const whole = name.startsWith("/") ? name : `${this.path}/${name}`;
    const parts = whole.split("/").filter((part) => part !== "" && part !== ".");
    return `/${parts.join("/")}`;
  }
}

/** Each path on the way to this one, the shortest first, without the root and the path itself. */
export function pathsAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

/** An attribute. */
export class WasmAttribute {
  /** Whose it is. */
  readonly owner: Place;
  readonly name: string;

  constructor(owner: Place, name: string) {
    this.owner = owner;
    this.name = name;
  }
}
