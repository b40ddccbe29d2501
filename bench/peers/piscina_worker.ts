/** What piscina looks for in a module of tasks: a function by this name is asked for. */
export { increment } from "./peer_value.ts";
