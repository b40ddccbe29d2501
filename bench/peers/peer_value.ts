/** A value as JSON would have it. */
export interface Table {
  /** Comes back one larger. */
  count: number;
  readonly rows: readonly Row[];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly score: number;
  readonly tags: readonly string[];
  readonly address: { readonly street: string; readonly zip: number };
}

/** What crosses. */
export type PeerValue = Uint8Array | Table;

/** Which values there are. */
export const VALUE_KINDS = ["bytes", "object"] as const;
/** One of {@linkcode VALUE_KINDS}. */
export type ValueKind = typeof VALUE_KINDS[number];

/** What every peer runs in the other thread: the value comes back one larger, and else as it is. */
export function increment<Value extends PeerValue>(value: Value): Value {
  if (value instanceof Uint8Array) value[0]! += 1;
  else value.count += 1;
  return value;
}

/** A value of about so many bytes: as bytes, or as JSON would write it. */
export function peerValue(kind: ValueKind, payloadBytes: number): PeerValue {
  if (kind === "bytes") return new Uint8Array(payloadBytes);
  const rows: Row[] = [];
  let lengthBytes = JSON.stringify({ count: 0, rows }).length;
  for (let id = 0; lengthBytes < payloadBytes; id++) {
    const address = { street: `Street ${id % 97}`, zip: 10_000 + id };
    const tags = ["a", "bb", "ccc"];
    rows.push({ id, name: `name ${id}`, isActive: id % 3 === 0, score: id / 8, tags, address });
    lengthBytes += JSON.stringify(rows[id]).length + 1;
  }
  return { count: 0, rows };
}

/**
 * Whether the answer is the value, one larger; it becomes part of the next call, so that no old answer passes
 * for a new one.
 *
 * @throws {Error} when it is not
 */
export function checkAnswer(value: PeerValue, answer: PeerValue): void {
  const expected = (countOf(value) + 1) & 0xff;
  if (sizeOf(answer) !== sizeOf(value) || countOf(answer) !== expected) {
    throw new Error("Cannot trust the calls as the value did not come back one larger");
  }
  if (value instanceof Uint8Array) value[0] = expected;
  else value.count = expected;
}

function countOf(value: PeerValue): number {
  return value instanceof Uint8Array ? value[0]! : value.count & 0xff;
}

function sizeOf(value: PeerValue): number {
  return value instanceof Uint8Array ? value.length : value.rows.length;
}
