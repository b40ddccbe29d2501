/** Options of one run. */
export interface LiveRunOptions {
  /** Ends the run with the signal's reason. */
  readonly signal?: AbortSignal;
  /** As of `RunOptions`; `reject` when absent. */
  readonly refusals?: "reject" | "count";
  /**
   * How often a wave that waits looks before it gives up, 256 to 4 294 967 040; that when absent. On a
   * software adapter a look takes some nanoseconds. For runs whose host may die: others have `signal`.
   */
  readonly roundsMax?: number;
}

/** The outcome of a run. */
export interface LiveReport {
  /** Packets that waves have sent to servers. */
  readonly packetCount: number;
  /** Calls that a server rejected, or whose handler failed. */
  readonly refusedCallCount: number;
}
