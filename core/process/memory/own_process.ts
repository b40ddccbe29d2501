/** The number of this process. */
export function ownPid(): number {
  return Deno.pid;
}

/** Calls a function now and then, which does not keep the program running; returns what ends that. */
export function watchTimer(look: () => void, milliseconds: number): () => void {
  const timer = setInterval(look, milliseconds);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}
