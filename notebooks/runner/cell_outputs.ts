import type { JupyterMessage } from "./wire/jupyter_message.ts";
import { isVisible, type MediaBundle, type Output } from "./notebook.ts";

/**
 * Gathers what the kernel publishes about one request. A cell is over once the kernel is idle *and*
 * has replied; output may still come after both (Deno 2.9.6 sends some of it late), so whoever feeds
 * this waits a little longer.
 */
export class CellOutputs {
  readonly #requestId: string;
  readonly #outputs: Output[] = [];
  #isIdle = false;
  #executionCount: number | null | undefined;

  constructor(requestId: string) {
    this.#requestId = requestId;
  }

  get outputs(): readonly Output[] {
    return this.#outputs;
  }

  get isOver(): boolean {
    return this.#isIdle && this.#executionCount !== undefined;
  }

  get isVisible(): boolean {
    return this.#outputs.some(isVisible);
  }

  /** As the kernel counts; `null` where it did not say. */
  get executionCount(): number | null {
    return this.#executionCount ?? null;
  }

  /** Takes a message of any channel; those that answer another request change nothing. */
  accept({ type, parentId, content }: JupyterMessage): void {
    if (parentId !== this.#requestId) return;
    if (type === "status") this.#isIdle ||= content["execution_state"] === "idle";
    else if (type === "execute_reply") {
      this.#executionCount = (content["execution_count"] as number | undefined) ?? null;
    } else this.#append(type, content);
  }

  #append(type: string, content: JupyterMessage["content"]): void {
    if (type === "stream") this.#appendText(String(content["name"]), String(content["text"]));
    else if (type === "display_data") {
      this.#outputs.push({ output_type: type, ...bundleOf(content) });
    } else if (type === "execute_result") {
      const executionCount = content["execution_count"] as number;
      this.#outputs.push({
        output_type: type,
        execution_count: executionCount,
        ...bundleOf(content),
      });
    } else if (type === "error") {
      this.#outputs.push({
        output_type: type,
        ename: String(content["ename"]),
        evalue: String(content["evalue"]),
        traceback: content["traceback"] as string[],
      });
    }
  }

  /** A stream comes in pieces; the file format holds it as one. */
  #appendText(name: string, text: string): void {
    const last = this.#outputs.at(-1);
    const isSame = last?.output_type === "stream" && last.name === name;
    const output: Output = {
      output_type: "stream",
      name,
      text: isSame ? last.text + text : text,
    };
    if (isSame) this.#outputs[this.#outputs.length - 1] = output;
    else this.#outputs.push(output);
  }
}

function bundleOf(content: JupyterMessage["content"]) {
  return {
    data: content["data"] as MediaBundle,
    metadata: (content["metadata"] ?? {}) as object,
  };
}
