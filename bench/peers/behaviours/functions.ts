let ticks = 0;
setInterval(() => ticks++, 5);

/** What every peer serves for the cases. */
export const functions = {
  echo: (value: number): number => value,
  async echoLater(value: number, milliseconds: number): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return value;
  },
  /** Counts while the worker's timers go on. */
  ticks: (): number => ticks,
  /** Ends the worker in the middle of the call. */
  crash(): Promise<never> {
    setTimeout(() => {
      throw new Error("crash");
    }, 20);
    return new Promise(() => {});
  },
};

/** A name of them. */
export type FunctionName = keyof typeof functions;

/** For packages that serve one function: the others by name. */
export function callFunction(name: FunctionName, ...values: number[]): number | Promise<number> {
  return (functions[name] as (...values: number[]) => number | Promise<number>)(...values);
}
