/** What piscina looks for by default in a module of tasks: a function by this name is asked for. */
export { incrementBytes } from "./increment_bytes.ts";
