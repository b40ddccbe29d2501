import { WaveFault } from "./layout_constants.ts";

/** A wave broke a rule of the kernel's form; the others have finished. */
export class KernelFault extends Error {
  override readonly name = "KernelFault";
  readonly waveIndex: number;
  /** A number of `WaveFault`, unless the kernel wrote over the report. */
  readonly fault: number;

  constructor(waveIndex: number, fault: number) {
    super(
      `Cannot finish wave ${waveIndex} as ${FAULT_TEXTS[fault] ?? `of an unknown fault ${fault}`}`,
    );
    this.waveIndex = waveIndex;
    this.fault = fault;
  }
}

const FAULT_TEXTS: Readonly<Record<number, string>> = {
  [WaveFault.divergedInPort]: "its lanes asked for different things while they had a port open",
  [WaveFault.portAlreadyOpen]: "it asked for a call while it had a port open: close() comes first",
  [WaveFault.noPortOpen]: "it asked to send, receive or close without a port: begin() comes first",
  [WaveFault.streamFull]: "a lane put more into its stream than streamBytes allows",
};
