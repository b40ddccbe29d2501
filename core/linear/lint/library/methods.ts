import { Run, type Site, type Steps } from "../path/run.ts";
import type { Value } from "../path/value.ts";

/** What things of a kind can do, by name. */
export type Methods<T> = {
  readonly [name: string]: (
    run: Run,
    self: T,
    args: readonly Value[],
    site: Site,
  ) => Steps<Value>;
};
