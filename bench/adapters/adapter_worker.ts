import { type AdapterSummary, summarizeAdapter } from "./adapter_summary.ts";

/** What the worker answers, once, without being asked. */
export type AdapterReply =
  | { readonly kind: "done"; readonly adapter: AdapterSummary | undefined }
  | { readonly kind: "failed"; readonly message: string };

const scope = self as unknown as { postMessage(reply: AdapterReply): void };
try {
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  scope.postMessage({ kind: "done", adapter: adapter ? summarizeAdapter(adapter) : undefined });
} catch (error) {
  scope.postMessage({ kind: "failed", message: String(error) });
}
