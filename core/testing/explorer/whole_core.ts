/** What the core exports to users and to explorers, in one module. */
export * from "../../mod.ts";
export * from "../../internal.ts";
