/**
 * Whether tests take every case, as those of a release do: `PORTLAB_TESTS=all` in the environment. Without
 * it they take those cases that show within minutes whether the code works on a machine.
 */
export const isThorough: boolean = Deno.env.get("PORTLAB_TESTS") === "all";
