import { linear } from "../path/making.ts";
import { Run } from "../path/run.ts";
import { type Look, Port } from "../path/value.ts";

/** Whether there is something in a `Maybe`, or the packet has arrived: known from now on. */
export function isThere(run: Run, look: Look): boolean {
  const sentStep = look.from?.from?.end?.step ?? Infinity;
  look.truth ??= sentStep < run.servedStep || run.choose(2) === 0;
  if (look.truth || look.kind === "either") look.port ??= inside(run, look);
  return look.truth;
}

export function inside(run: Run, look: Look): Port {
  const port = linear(run, new Port(look.madeAt, look.isOwned));
  if (look.from) port.from = look.from;
  if (look.name) port.name = look.name;
  return port;
}
