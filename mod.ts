/**
 * portlab: the port protocol, the questions that are asked about it, and the answers.
 *
 * This module re-exports. Whoever only wants to make calls imports `core/mod.ts`, which needs no
 * package.
 *
 * @module
 */
export * from "./core/mod.ts";
export * from "./core/gpu/mod.ts";
export * from "./core/gpu/program/mod.ts";
export * from "./core/linear/mod.ts";
export * from "./core/services/mod.ts";
export * from "./core/signature/mod.ts";
export * from "./core/signature/wgsl/mod.ts";
export * from "./scenarios/mod.ts";
export * from "./bench/mod.ts";
export * from "./results/mod.ts";
