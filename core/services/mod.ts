/**
 * What a host does for its callers: services that any server can register, by the opcodes of this
 * library, and the functions of C libraries.
 *
 * @module
 */
// The services of LLVM's list, and of this library's opcodes.
export { denoHost, type Host } from "./host.ts";
export { serveHost } from "./serve_host.ts";
// C libraries behind a declaration.
export {
  type ArgumentCheck,
  type LibrarySource,
  ServedLibrary,
  serveLibrary,
} from "./library/serve_library.ts";
// Files, and texts as C formats them.
export { denoFiles, type FileHost, type HostFile, type OpenMode } from "./files/deno_files.ts";
export {
  type FILE_LINES,
  type FileFunctions,
  type FileKinds,
  filesApi,
  serveFiles,
  type ServeFilesOptions,
} from "./files/files_api.ts";
// Memory, processes and the system.
export {
  HeapAllocator,
  type HeapOptions,
  memoryApi,
  type MemoryFunctions,
  serveMemory,
} from "./memory_api.ts";
export { denoProcess } from "./process/deno_process.ts";
export {
  processApi,
  type ProcessFunctions,
  type ProcessHost,
  serveProcess,
  type ServeProcessOptions,
} from "./process/process_api.ts";
export {
  serveSystem,
  systemApi,
  type SystemFunctions,
  type SystemHost,
  webSystem,
} from "./system_api.ts";
// Guests that are not trusted.
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
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox/sandbox.ts";
export type { SandboxLimits } from "./sandbox/sandbox_limits.ts";
