/**
 * What a host does for its callers: services that any server can register, by the opcodes of this
 * library, and the functions of C libraries.
 *
 * @module
 */
export { denoHost, type Host } from "./host.ts";
export { register, WRITE_LIMIT_BYTES } from "./register.ts";
export {
  type ArgumentCheck,
  type LibrarySource,
  ServedLibrary,
  serveLibrary,
} from "./library/serve_library.ts";
export { denoFiles } from "./files/deno_files.ts";
export { type FileHost, type HostFile, type OpenMode, openMode } from "./files/file_host.ts";
export {
  type FileFunction,
  type FileFunctions,
  type FileHandle,
  filesApi,
  serveFiles,
} from "./files/files_api.ts";
export { HeapAllocator, type HeapOptions } from "./memory/heap_allocator.ts";
export { memoryApi, type MemoryFunctions, serveMemory } from "./memory/memory_api.ts";
export { denoProcess } from "./process/deno_process.ts";
export {
  processApi,
  type ProcessFunctions,
  type ProcessHost,
  serveProcess,
  type ServeProcessOptions,
} from "./process/process_api.ts";
export { printFormatted } from "./stdio/print_formatted.ts";
export { serveSystem, systemApi, type SystemFunctions } from "./system/system_api.ts";
export { type SystemHost, webSystem } from "./system/system_host.ts";
export { AuditError, type AuditSink, auditTo } from "./sandbox/audit_log.ts";
export {
  type ConfinedFiles,
  confinedFiles,
  type ConfineOptions,
} from "./sandbox/files/confined_files.ts";
export {
  allow,
  deny,
  type Policy,
  type PolicyAnswer,
  rewrite,
  type Rule,
  type RuleValues,
} from "./sandbox/policy.ts";
export { type Sandbox, startSandbox } from "./sandbox/sandbox.ts";
export type { SandboxLimits, SandboxOptions } from "./sandbox/sandbox_options.ts";
// The core's types that stand in the signatures above.
export type * from "../mod.ts";
export type * from "../signature/mod.ts";
