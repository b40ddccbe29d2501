/**
 * Numbers that decide how fast the core is, and never what it does: models run it with others. They were
 * chosen by measurements. A module that takes a remainder by one copies it to a constant of its own,
 * because the compiler folds that, but divides by an imported one, which costs some nanoseconds.
 */

/** Polls before a strategy's slow part, enough for a call between two running workers. */
export const BURST_POLLS = 2_000;
/** Looks of an asynchronous wait before it lets the event loop go on: shorter than a sleep and a wake. */
export const GLANCE_POLLS = 256;
/** Polls between two looks at deadline, signal and the channel's state. */
export const GUARD_POLLS = 256;
/** Passes over all ports before a client sleeps for one. */
export const CLAIM_PASSES = 64;
/** How long a client whose waits do not park sleeps for a port at most: a server of waves wakes nobody. */
export const FREE_NAP_MILLISECONDS = 1;
/** Looks of a step of WebAssembly, which pauses between them, before its caller waits by itself: some microseconds. */
export const STEP_POLLS = 256;
/** Glances at the last port between two searches of a server that has nothing to do, with pauses between them. */
export const STEP_GLANCES = 8;
/** Looks of a server for calls that come together. */
export const WATCH_GLANCES = 48;
/** Searches between two tidyings of the hints. */
export const TIDY_SEARCHES = 1 << 10;
/** Looks of a busy event loop between two looks at the clock. */
export const CLOCK_LOOKS = 32;
