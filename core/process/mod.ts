/**
 * Memory that processes share: calls between programs, in any language, as between threads.
 * `core/process/README.md` tells what is in the files.
 *
 * @module
 */
// Between programs of this library.
export { SharedFile, type SharedFileOptions } from "./shared/shared_file.ts";
export type { ParticipantHandle } from "../toggle/wire/participant.ts";
// To and from programs that were built with LLVM's header.
export { LlvmFile, type LlvmFileShape } from "./llvm/llvm_file.ts";
export { llvmOpcode } from "./llvm/llvm_opcode.ts";
export { serveLlvm, type ServeLlvmOptions } from "./llvm/serve_llvm.ts";
export type { WireName } from "../toggle/wire/llvm_regions.ts";
// For programs in C and C++.
export { cHeader } from "./header/c_header.ts";
export { cppStubs } from "./header/cpp_stubs.ts";
