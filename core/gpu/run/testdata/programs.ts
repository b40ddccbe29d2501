import { CALLS } from "./calls.ts";
import { MEMORY } from "./memory.ts";
import { MISTAKES } from "./mistakes.ts";
import { PRINTS } from "./prints.ts";
import type { Program } from "./program.ts";
import { REFUSALS } from "./refusals.ts";
import { STATEMENTS } from "./statements.ts";
import { VALUES } from "./values.ts";
import { WAVES } from "./waves.ts";

/** All of them, each for every way. */
export const PROGRAMS: readonly Program[] = [
  ...STATEMENTS,
  ...VALUES,
  ...WAVES,
  ...CALLS,
  ...PRINTS,
  ...MEMORY,
  ...REFUSALS,
  ...MISTAKES,
];
