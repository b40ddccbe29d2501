/** Code that was made from readable text: compiled once in each thread, or not where that is forbidden. */
export class WasmCode<Functions> {
  readonly #base64: string;
  #module: WebAssembly.Module | "none" | undefined;

  /** Takes the bytes of a module, in base 64. */
  constructor(base64: string) {
    this.#base64 = base64;
  }

  /** The functions over what they import; nothing where WebAssembly is refused, as by the policy of a page. */
  over(imports: WebAssembly.Imports): Functions | undefined {
    this.#module ??= this.#compile();
    if (this.#module === "none") return undefined;
    return new WebAssembly.Instance(this.#module, imports).exports as Functions;
  }

  #compile(): WebAssembly.Module | "none" {
    try {
      const bytes = Uint8Array.from(atob(this.#base64), (byte) => byte.charCodeAt(0));
      return new WebAssembly.Module(bytes);
    } catch {
      return "none";
    }
  }
}
