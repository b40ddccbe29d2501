export * from "./closest_string.ts";
