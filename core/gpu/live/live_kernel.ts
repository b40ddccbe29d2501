import { usesHeap } from "../heap/heap_texts.ts";
import { authorSteps } from "../resumable/author_steps.ts";
import type { TextPosition } from "../syntax/text_position.ts";
import { codeOf, withPlainLines } from "../wgsl/author_text.ts";
import { checkSignature } from "../wgsl/kernel_compile.ts";
import { runStep } from "../wgsl/kernel_source.ts";
import liveKernelText from "./live_kernel.wgsl" with { type: "text" };

/** The author's part of a live program: what stands first in the module, and what is made of it. */
export interface LiveText {
  readonly author: string;
  readonly generated: string;
  /** Whether the client is a kernel. */
  readonly isKernel: boolean;
  /** Where in the author's text each step of a kernel begins. */
  readonly stepPlaces: readonly string[];
  /** Where in the author's text a place of `generated` comes from. */
  readonly authorPosition: (position: TextPosition) => TextPosition | undefined;
}

const NEEDS_HOST =
  /\b(put|put_\w+|print|printf|stream_\w+|call_with_stream|exchange_streams|begin|send|recv|close)\s*\(/;

/**
 * Makes the author's part of a live program of four functions, or of a kernel and `serve`.
 *
 * @throws {KernelCompileError} at what `fn kernel()` cannot do
 * @throws {TypeError} when a kernel has no steps, or does what only the host can serve
 */
export function liveText(written: string, server: string | undefined): LiveText {
  const source = withPlainLines(written);
  checkFunctions(source, server);
  if (server === undefined) {
    const authorPosition = () => undefined;
    return { author: source, generated: "", isKernel: false, stepPlaces: [], authorPosition };
  }
  const called = NEEDS_HOST.exec(codeOf(source))?.[1];
  const needed = called ? `${called}()` : usesHeap(source) ? "a heap" : undefined;
  if (needed !== undefined) {
    throw new TypeError(
      `Cannot make a live program as its kernel needs the host: it uses ${needed}, which Epochs can serve`,
    );
  }
  const { authorText, generated, names, places, authorPosition } = authorSteps(source);
  const checksSteps = /\bgo\s*\(/.test(codeOf(authorText));
  return {
    author: `${authorText}\n${withPlainLines(server)}`,
    generated: [
      generated,
      `const STEP_COUNT = ${names.length}u;\nconst CHECKS_STEPS = ${checksSteps};`,
      runStep(names),
      liveKernelText,
    ].join("\n"),
    isKernel: true,
    stepPlaces: places,
    authorPosition,
  };
}

const CLIENT = ["fn client_fill() -> bool", "fn client_use()", "fn client_end()"];
const SERVE = "fn serve(opcode: u32)";

function checkFunctions(source: string, server: string | undefined): void {
  const [option, text] = server === undefined ? ["source", source] : ["server", server];
  const code = codeOf(text);
  for (const wanted of [...server === undefined ? CLIENT : [], SERVE]) {
    const name = /\w+(?=\()/.exec(wanted)![0];
    if (!new RegExp(`\\bfn\\s+${name}\\s*\\(`).test(code)) {
      throw new TypeError(
        `Cannot make a live program as its ${option} has no function ${name}: write ${wanted}`,
      );
    }
    checkSignature(text, wanted, server === undefined ? undefined : "server");
  }
}
