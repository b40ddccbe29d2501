/** Numbers of Linux, which C calls `errno`, with what they mean. */
const ERRORS: Readonly<Record<number, readonly [name: string, text: string]>> = {
  1: ["EPERM", "operation not permitted"],
  2: ["ENOENT", "no such file or directory"],
  3: ["ESRCH", "no such process"],
  4: ["EINTR", "interrupted"],
  5: ["EIO", "input or output failed"],
  6: ["ENXIO", "no such device or address"],
  7: ["E2BIG", "too many arguments"],
  8: ["ENOEXEC", "not in a form that can be run"],
  9: ["EBADF", "no such open file"],
  10: ["ECHILD", "no child process"],
  11: ["EAGAIN", "not now: try again"],
  12: ["ENOMEM", "no memory left"],
  13: ["EACCES", "permission denied"],
  14: ["EFAULT", "bad address"],
  16: ["EBUSY", "in use"],
  17: ["EEXIST", "exists already"],
  18: ["EXDEV", "on another file system"],
  19: ["ENODEV", "no such device"],
  20: ["ENOTDIR", "not a directory"],
  21: ["EISDIR", "a directory"],
  22: ["EINVAL", "invalid argument"],
  23: ["ENFILE", "too many files are open on the machine"],
  24: ["EMFILE", "too many files are open"],
  25: ["ENOTTY", "not possible for this device"],
  26: ["ETXTBSY", "the program is running"],
  27: ["EFBIG", "file too large"],
  28: ["ENOSPC", "no space left on the device"],
  29: ["ESPIPE", "seek in what cannot seek"],
  30: ["EROFS", "read-only file system"],
  31: ["EMLINK", "too many links"],
  32: ["EPIPE", "nobody reads the pipe"],
  33: ["EDOM", "argument outside of the function's domain"],
  34: ["ERANGE", "result too large"],
  36: ["ENAMETOOLONG", "name too long"],
  38: ["ENOSYS", "not implemented"],
  39: ["ENOTEMPTY", "directory not empty"],
  40: ["ELOOP", "too many symbolic links"],
  75: ["EOVERFLOW", "value too large for its type"],
  84: ["EILSEQ", "bytes that are no text"],
  95: ["EOPNOTSUPP", "operation not supported"],
  110: ["ETIMEDOUT", "took too long"],
};

/** The names of the others, with their numbers where one does not follow the last. */
const OTHERS: ReadonlyMap<number, string> = othersIn(
  `15 ENOTBLK 35 EDEADLK 37 ENOLCK 42 ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI
  EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT 59 EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG
  EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG 76 ENOTUNIQ EBADFD EREMCHG ELIBACC
  ELIBBAD ELIBSCN ELIBMAX ELIBEXEC 85 ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE
  ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT 96 EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL
  ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS
  111 ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM
  EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED
  EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON`,
);

function othersIn(text: string): Map<number, string> {
  const names = new Map<number, string>();
  let errno = 0;
  for (const part of text.split(/\s+/)) {
    if (/^\d/.test(part)) errno = Number(part);
    else names.set(errno++, part);
  }
  return names;
}

/** The name of an error number of Linux, `E` and the number where there is none. */
export function errnoName(errno: number): string {
  return ERRORS[errno]?.[0] ?? OTHERS.get(errno) ?? `E${errno}`;
}

/** What an error number of Linux means. */
export function errnoText(errno: number): string {
  return ERRORS[errno]?.[1] ?? "an error that has no text";
}

/** What the number of an error means. */
export interface ErrorMeaning {
  /** Its name: `ENOENT`. */
  readonly code: string;
  /** In words. */
  readonly text: string;
}

/**
 * A failure in the way of C: a function on the host throws it, and its caller gets the value that its
 * signature has for failures (`failsWith`), and the number; in TypeScript, this error again.
 *
 * @example
 * ```ts
 * import { ErrnoError } from "./errno.ts";
 * const error = new ErrnoError(2, "open a.txt");
 * if (error.message !== "Cannot open a.txt: no such file or directory (ENOENT)") throw error;
 * ```
 */
export class ErrnoError extends Error {
  /** The name of the class, also in another isolate. */
  override readonly name: string = "ErrnoError";
  /** A number of Linux, from 1, unless a library has numbers of its own. */
  readonly errno: number;
  /** Its name: `ENOENT`. */
  readonly code: string;

  /**
   * Says what failed, and why.
   *
   * @param errno an integer from 1 to 2 ** 31 - 1
   * @param action what could not be done, as it follows "Cannot"
   * @param meaning what the number means to a library with numbers of its own
   * @throws {RangeError} when the number is none: 0 says that all is well
   */
  constructor(errno: number, action: string, meaning?: ErrorMeaning) {
    if ((errno | 0) !== errno || errno < 1) {
      throw new RangeError(
        `Cannot tell of a failure as errno must be an integer from 1 to 2147483647: current value is ${errno}`,
      );
    }
    const { code, text } = meaning ?? { code: errnoName(errno), text: errnoText(errno) };
    super(`Cannot ${action}: ${text} (${code})`);
    this.errno = errno;
    this.code = code;
  }
}
