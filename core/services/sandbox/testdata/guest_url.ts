/** The URL of a guest's script. */
export function guestUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}
