import type { Case } from "./case.ts";
import { FAULT_CASES } from "./fault_cases.ts";
import { GRID_CASES } from "./grid_cases.ts";
import { LEAVING_CASES } from "./leaving_cases.ts";
import { SURFACE_CASES } from "./surface_cases.ts";

/** The suite that every runtime has to pass. */
export const CASES: readonly Case[] = [
  ...GRID_CASES,
  ...FAULT_CASES,
  ...LEAVING_CASES,
  ...SURFACE_CASES,
];
