/** The texts of code, and what they are made into: `deno task wasm` writes the modules of bytes. */
import wabt from "wabt";

const CORE = new URL("../", import.meta.url);
/** Each text without its ending, and what its bytes are called. */
export const TEXTS = [
  ["toggle/steps/steps", "STEPS_BYTES"],
  ["memory/columns/columns", "COLUMNS_BYTES"],
] as const;
const { parseWat } = await wabt();

/** A text of code, by its path from `core/` without the ending. */
export async function watText(path: typeof TEXTS[number][0]): Promise<string> {
  return await Deno.readTextFile(new URL(`${path}.wat`, CORE));
}

/** The bytes of a module, by its text. */
export function wasmOf(text: string): Uint8Array<ArrayBuffer> {
  return parseWat("text.wat", text, { threads: true, simd: true }).toBinary({}).buffer.slice();
}

/** What the module of bytes beside a text has to say. */
export async function bytesModule([path, name]: typeof TEXTS[number]): Promise<string> {
  const bytes = btoa(String.fromCharCode(...wasmOf(await watText(path))));
  const file = path.split("/").at(-1);
  return `/** \`${file}.wat\` as bytes: \`deno task wasm\` makes them. */
export const ${name} =
  "${bytes}";
`;
}

/** Where that module is. */
export function bytesFile([path]: typeof TEXTS[number]): URL {
  return new URL(`${path}_bytes.ts`, CORE);
}
