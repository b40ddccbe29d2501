import { Lines } from "../../text/lines.ts";
import type { Printer } from "../../text/printer.ts";
import { type PrintfError, WrittenText } from "../printf_error.ts";
import type { PrintingShader } from "../shader/printing_shader.ts";
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
  readonly shader: PrintingShader;
  readonly file: string;
  /** The text of the author's own module. */
  readonly silent: Printer;
  readonly #written: WrittenText;
  readonly #variants = new Map<string, ModuleVariant>();

  constructor(shader: PrintingShader, file: string, written: string) {
    this.shader = shader;
    this.file = file;
    this.silent = shader.silentText();
    this.#written = new WrittenText(written);
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
    const { text: code } = this.shader.ringText({ ...place, hasDispatch: true });
    const module = createModule({ code, label: `${this.file} (printf)` });
    const { shader, file } = this;
    const owner = new RingOwner(device, { shader, file, binding: place.binding }, sizes);
    owner.setFilter(filter);
    const made = { module, owner };
    this.#variants.set(key, made);
    return made;
  }

  /** Lets the author's module tell what its compiler said at the places of the author's text. */
  tellPlaces(module: GPUShaderModule): void {
    const real = module.getCompilationInfo;
    tell(module, async () => {
      const info = await real.call(module);
      return changed(info, { messages: Array.from(info.messages, (one) => this.#authors(one)) });
    });
  }

  #authors(said: GPUCompilationMessage): GPUCompilationMessage {
    const { lineNum, linePos, length, type } = said;
    const message = this.shader.authorWords(said.message);
    // A message is only inherited from, and its own members say no word to an heir.
    if (lineNum === 0) {
      return changed(said, { message, lineNum, linePos, length, offset: said.offset, type });
    }
    const { module, calls } = this.shader;
    const isOwn = lineNum <= module.lineCount;
    const [start, end] = isOwn
      ? spanOf(this.silent, { line: lineNum, column: linePos, length })
      : [calls[0]!.call.start, calls[0]!.call.start];
    const { line, column } = module.positionAt(start);
    const offset = this.#written.writtenIndex(start);
    return changed(said, {
      ...{ message, lineNum: line, linePos: column, offset },
      length: this.#written.writtenIndex(end) - offset,
      type,
    });
  }
}

/** From where to where some characters of a printed text come; none if they were generated. */
function spanOf(
  printed: Printer,
  { line, column, length }: {
    readonly line: number;
    readonly column: number;
    readonly length: number;
  },
): readonly [start: number, end: number] {
  const start = printed.origin({ line, column }) ?? 0;
  if (length === 0) return [start, start];
  const lines = new Lines(printed.text);
  const last = lines.positionAt(lines.indexAt({ line, column }) + length - 1);
  return [start, Math.max(start, (printed.origin(last) ?? 0) + 1)];
}

function tell(module: GPUShaderModule, value: () => Promise<object>): void {
  const how = { value, configurable: true, writable: true };
  Object.defineProperty(module, "getCompilationInfo", how);
}

/** Lets an invalid module tell what is wrong, at its place in the author's text. */
export function tellError(module: GPUShaderModule, error: PrintfError): void {
  const { line: lineNum, column: linePos, reason, offset } = error;
  const message = { message: reason, type: "error", lineNum, linePos, offset, length: 0 };
  tell(module, () => Promise.resolve({ messages: [message] }));
}
