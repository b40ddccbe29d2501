/**
 * What the first byte of a value says. Bytes below 128 are that number; from `shortString` on, strings of
 * so many characters; from `shape` on, objects whose keys are those of an earlier one of the message.
 */
export const Tag = {
  undefined: 128,
  null: 129,
  true: 130,
  false: 131,
  /** An int32, zigzag. */
  integer: 132,
  double: 133,
  /** In hexadecimal digits. */
  bigint: 134,
  string: 135,
  date: 136,
  regExp: 137,
  map: 138,
  set: 139,
  /** Without holes, and with nothing beside the elements. */
  array: 140,
  /** The length, and each key with its value. */
  sparseArray: 141,
  /** Keys that are new in the message, and their values. */
  object: 142,
  /** As `shape`, for numbers that do not fit there. */
  laterShape: 143,
  buffer: 144,
  view: 145,
  error: 146,
  domException: 147,
  /** A `Boolean`, `Number`, `String` or `BigInt` object. */
  boxed: 148,
  /** The object that is the so-manyth of the message. */
  again: 149,
  /** A number for a function, and its name. */
  function: 150,
  /** A number for the steps of an iterator. */
  iterator: 151,
  /** A number for what is carried beside the message. */
  carried: 152,
  shortString: 192,
  shape: 224,
} as const;

/** How many values are said by the tag alone, from `shortString` and from `shape` on. */
export const SHORT_COUNT = 32;
/** Integers below are their own tag. */
export const TINY_COUNT = 128;
/** Bytes in front of a message: those of its structure, a u32. */
export const HEAD_BYTES = 4;
/** Behind the structure the texts begin, at a multiple of this. */
export const ALIGNED_BYTES = 8;
/** Texts lie in pages of about so many characters: a short string keeps no more than its page alive. */
export const PAGE_CHARS = 4096;
/** Objects in objects: both sides call themselves for each. */
export const DEPTH_MAX = 1000;

/** What is a view of a buffer, in the order of the wire. `DataView` is the only one without elements. */
export const VIEW_NAMES = [
  "DataView",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
] as const;

/** Classes of errors, in the order of the wire; others arrive as an `Error` with their name. */
export const ERROR_CLASSES = [
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError,
] as const;

/** What an error has beside its own enumerable properties: a bit each, in this order. */
export const ERROR_FIELDS = ["name", "message", "stack", "cause", "errors"] as const;

/**
 * What is no data, and for which a number crosses: a function, or what is iterated by `next`, `return` and `throw`,
 * asked for one by one.
 */
export type Callable = (...values: unknown[]) => unknown;

/** A class of errors. */
export type ErrorClass = abstract new (...values: never) => Error;

/**
 * The number that stands for a function on the other side.
 *
 * @param isIterator whether it is {@linkcode CloneEncoder}'s own, whose first argument names the step of an iterator
 */
export type FunctionSender = (value: Callable, isIterator: boolean) => number;

/** How what cannot be copied is sent; without one of these, what it is for is refused. */
export interface CloneSender {
  readonly sendFunction?: FunctionSender;
  /** Classes of errors that the other side has too, in the same order. */
  readonly errorClasses?: readonly ErrorClass[] | undefined;
  /** The number that stands for an object which is carried beside the message; `undefined` where it is not. */
  readonly sendObject?: (value: object) => number | undefined;
}

/**
 * What stands here for a function of the other side, or for the steps of an iterator.
 *
 * @param name the function's; `undefined` of an iterator
 */
export type FunctionReceiver = (number: number, name: string | undefined) => object;

/** What stands for what cannot be copied; without one of these, a message that has it is none. */
export interface CloneReceiver {
  readonly receiveFunction?: FunctionReceiver;
  /** As of the one that has sent them. */
  readonly errorClasses?: readonly ErrorClass[] | undefined;
  /** What was carried beside the message under this number. */
  readonly receiveObject?: (number: number) => object | undefined;
}
