/**
 * Numbers that decide how fast the core is where, and never what it does: models run it with others.
 * They were chosen by measurements. Where a remainder is taken by one, its module has a constant of the
 * same value: the compiler folds that, and divides by an imported one, some nanoseconds a time.
 */

/** Polls before a strategy's slow part begins; chosen so that a call between two running workers ends before it. */
export const BURST_POLLS = 2_000;
/** Polls between two looks at deadline, signal and the channel's state. */
export const GUARD_POLLS = 256;
/** Passes over all ports before a client sleeps for one. */
export const CLAIM_PASSES = 64;
/** Glances at the last port between two searches of a server that has nothing to do. */
export const WATCH_GLANCES = 48;
/** Searches between two tidyings of the hints. */
export const TIDY_SEARCHES = 1 << 10;
/** Looks of a busy event loop between two looks at the clock. */
export const CLOCK_LOOKS = 32;
