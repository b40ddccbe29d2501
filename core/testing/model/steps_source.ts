/** `steps.wat`, and what it is made into: `deno task steps` writes `steps_bytes.ts`. */
import wabt from "wabt";

const STEPS = new URL("../../toggle/steps/", import.meta.url);
const BYTES = new URL("steps_bytes.ts", STEPS);
const { parseWat } = await wabt();

/** What the steps say. */
export const STEPS_TEXT: string = await Deno.readTextFile(new URL("steps.wat", STEPS));

/** The bytes of a module, by its text. */
export function wasmOf(text: string): Uint8Array<ArrayBuffer> {
  return parseWat("steps.wat", text, { threads: true, simd: true }).toBinary({}).buffer.slice();
}

/** What `steps_bytes.ts` has to say. */
export function bytesModule(): string {
  const bytes = btoa(String.fromCharCode(...wasmOf(STEPS_TEXT)));
  return `/** \`steps.wat\` as bytes: \`deno task steps\` makes them. */
export const STEPS_BYTES =
  "${bytes}";
`;
}

if (import.meta.main) await Deno.writeTextFile(BYTES, bytesModule());
