/** What every peer runs in the other thread: the first byte comes back one larger, all others as they are. */
export function incrementBytes(bytes: Uint8Array): Uint8Array {
  bytes[0]! += 1;
  return bytes;
}
