import type { Hooks } from "./hooks.ts";

/** An error scope of the author. */
interface Scope {
  readonly filter: string;
  error: GPUError | undefined;
}

/** Gives errors of `printf` to the error scopes of a device, as if WebGPU had found them. */
export class ErrorMirror {
  readonly #device: GPUDevice;
  readonly #scopes: Scope[] = [];

  constructor(device: GPUDevice, hooks: Hooks) {
    this.#device = device;
    hooks.replace(device, "pushErrorScope", (real) => (filter: string) => {
      real.call(device, filter);
      this.#scopes.push({ filter, error: undefined });
    });
    hooks.replace(device, "popErrorScope", (real) => () => {
      const found = real.call(device) as Promise<GPUError | null>;
      const scope = this.#scopes.pop();
      return scope?.error ? found.then((error) => error ?? scope.error) : found;
    });
  }

  /** Gives an error to the innermost scope for validation, or to the device's listeners. */
  raise(message: string): void {
    const error = new GPUValidationError(message);
    const scope = this.#scopes.findLast(({ filter }) => filter === "validation");
    if (scope) {
      scope.error ??= error;
      return;
    }
    const init = { error, cancelable: true };
    // As WebGPU does: the caller goes on first.
    queueMicrotask(() => {
      const isOpen = this.#device.dispatchEvent(
        new GPUUncapturedErrorEvent("uncapturederror", init),
      );
      if (isOpen) console.error(message);
    });
  }
}
