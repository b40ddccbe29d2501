/**
 * LLVM's own opcodes, by the numbers that stand for them here: the letter and the number of
 * `libc/shared/rpc_opcodes.h`, as `core/toggle/wire/llvm_headers.ts` translates them. `noop` is
 * `Opcode.noop`. For clients of an LLVM server; {@linkcode serveLlvm} serves them.
 */
export const llvmOpcode = {
  exit: 0x6301,
  writeToStdout: 0x6302,
  writeToStderr: 0x6303,
  writeToStream: 0x6304,
  writeToStdoutNewline: 0x6305,
  readFromStream: 0x6306,
  readFgets: 0x6307,
  openFile: 0x6308,
  closeFile: 0x6309,
  malloc: 0x630a,
  free: 0x630b,
  hostCall: 0x630c,
  abort: 0x630d,
  feof: 0x630e,
  ferror: 0x630f,
  clearerr: 0x6310,
  fseek: 0x6311,
  ftell: 0x6312,
  fflush: 0x6313,
  ungetc: 0x6314,
  printfToStdout: 0x6315,
  printfToStderr: 0x6316,
  printfToStream: 0x6317,
  printfToStdoutPacked: 0x6318,
  printfToStderrPacked: 0x6319,
  printfToStreamPacked: 0x631a,
  remove: 0x631b,
  rename: 0x631c,
  system: 0x631d,
} as const;
