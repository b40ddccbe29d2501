/** Errors of Linux with their numbers, which C calls `errno`, and what they mean. */
const ERRORS = {
  EPERM: [1, "operation not permitted"],
  ENOENT: [2, "no such file or directory"],
  ESRCH: [3, "no such process"],
  EINTR: [4, "interrupted"],
  EIO: [5, "input or output failed"],
  ENXIO: [6, "no such device or address"],
  E2BIG: [7, "too many arguments"],
  ENOEXEC: [8, "not in a form that can be run"],
  EBADF: [9, "no such open file"],
  ECHILD: [10, "no child process"],
  EAGAIN: [11, "not now: try again"],
  ENOMEM: [12, "no memory left"],
  EACCES: [13, "permission denied"],
  EFAULT: [14, "bad address"],
  EBUSY: [16, "in use"],
  EEXIST: [17, "exists already"],
  EXDEV: [18, "on another file system"],
  ENODEV: [19, "no such device"],
  ENOTDIR: [20, "not a directory"],
  EISDIR: [21, "a directory"],
  EINVAL: [22, "invalid argument"],
  ENFILE: [23, "too many files are open on the machine"],
  EMFILE: [24, "too many files are open"],
  ENOTTY: [25, "not possible for this device"],
  ETXTBSY: [26, "the program is running"],
  EFBIG: [27, "file too large"],
  ENOSPC: [28, "no space left on the device"],
  ESPIPE: [29, "seek in what cannot seek"],
  EROFS: [30, "read-only file system"],
  EMLINK: [31, "too many links"],
  EPIPE: [32, "nobody reads the pipe"],
  EDOM: [33, "argument outside of the function's domain"],
  ERANGE: [34, "result too large"],
  ENAMETOOLONG: [36, "name too long"],
  ENOSYS: [38, "not implemented"],
  ENOTEMPTY: [39, "directory not empty"],
  ELOOP: [40, "too many symbolic links"],
  EOVERFLOW: [75, "value too large for its type"],
  EILSEQ: [84, "bytes that are no text"],
  EOPNOTSUPP: [95, "operation not supported"],
  ETIMEDOUT: [110, "took too long"],
} as const;

/** Numbers of Linux by their names in C, for {@linkcode ErrnoError}. */
export const Errno = Object.fromEntries(
  Object.entries(ERRORS).map(([code, [errno]]) => [code, errno]),
) as { readonly [Code in keyof typeof ERRORS]: number };

const MEANINGS: ReadonlyMap<number, ErrorMeaning> = new Map(
  Object.entries(ERRORS).map(([code, [errno, text]]) => [errno, { code, text }]),
);

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

/** What an error number of Linux means; its name is `E` and the number where there is none. */
export function errnoMeaning(errno: number): ErrorMeaning {
  const code = OTHERS.get(errno) ?? `E${errno}`;
  return MEANINGS.get(errno) ?? { code, text: "an error that has no text" };
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
    const { code, text } = meaning ?? errnoMeaning(errno);
    super(`Cannot ${action}: ${text} (${code})`);
    this.errno = errno;
    this.code = code;
  }
}
