import type { PrintfError } from "../printf_error.ts";
import type { PrintfShader } from "../printf_shader.ts";
import type { PrintfFilter } from "../ring/printf_filter.ts";
import { changed } from "./hooks.ts";
import { RingOwner, type RingSizes } from "./ring_owner.ts";

/** A module and its ring, for pipelines that have the ring at one place. */
export interface ModuleVariant {
  readonly module: GPUShaderModule;
  readonly owner: RingOwner;
}

/** A shader that prints, of which modules are made for each place of its ring. */
export class PrintingModule {
  readonly shader: PrintfShader;
  readonly file: string;
  readonly #variants = new Map<string, ModuleVariant>();

  constructor(shader: PrintfShader, file: string) {
    this.shader = shader;
    this.file = file;
  }

  get owners(): readonly RingOwner[] {
    return [...this.#variants.values()].map(({ owner }) => owner);
  }

  /** The module whose ring is at a place. */
  variant(
    device: GPUDevice,
    place: { readonly group: number; readonly binding: number },
    { createModule, sizes, filter }: {
      readonly createModule: (descriptor: GPUShaderModuleDescriptor) => GPUShaderModule;
      readonly sizes: RingSizes;
      readonly filter: PrintfFilter;
    },
  ): ModuleVariant {
    const key = `${place.group}.${place.binding}`;
    const known = this.#variants.get(key);
    if (known) return known;
    const code = this.shader.printingSource({ ...place, hasDispatch: true });
    const module = createModule({ code, label: `${this.file} (printf)` });
    const { shader, file } = this;
    const owner = new RingOwner(device, { shader, file, binding: place.binding }, sizes);
    owner.setFilter(filter);
    const made = { module, owner };
    this.#variants.set(key, made);
    return made;
  }
}

/** Lets a module tell what its compiler said at the places of the author's text. */
export function tellAuthorPlaces(module: GPUShaderModule, shader: PrintfShader): void {
  const real = module.getCompilationInfo;
  tell(module, async () => {
    const info = await real.call(module);
    const messages = Array.from(info.messages, (message) => authorMessage(message, shader));
    return changed(info, { messages });
  });
}

function tell(module: GPUShaderModule, value: () => Promise<object>): void {
  const how = { value, configurable: true, writable: true };
  Object.defineProperty(module, "getCompilationInfo", how);
}

function authorMessage(said: GPUCompilationMessage, shader: PrintfShader): GPUCompilationMessage {
  const { text, calls } = shader;
  const { lineNum, linePos } = said;
  const isOwn = lineNum >= 1 && lineNum <= text.lineCount;
  const position = isOwn
    ? shader.authorPosition("silent", { line: lineNum, column: linePos })
    : calls[0]!.position;
  return changed(said, {
    message: shader.authorWords(said.message),
    lineNum: lineNum === 0 ? 0 : position.line,
    linePos: lineNum === 0 ? 0 : position.column,
    offset: lineNum === 0 ? 0 : text.indexAt(position),
    type: said.type,
    length: said.length,
  });
}

/** Lets an invalid module tell what is wrong, at its place in the author's text. */
export function tellError(module: GPUShaderModule, error: PrintfError): void {
  const { line: lineNum, column: linePos, reason, offset } = error;
  const message = { message: reason, type: "error", lineNum, linePos, offset, length: 0 };
  tell(module, () => Promise.resolve({ messages: [message] }));
}
