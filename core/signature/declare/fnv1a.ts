/** The 32-bit FNV-1a hash of a text in UTF-8 (Fowler, Noll, Vo), never 0. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0) || 1;
}
