export interface ParseOptions {
  boolean?: boolean | readonly string[];
  string?: readonly string[];
  collect?: readonly string[];
  negatable?: readonly string[];
  alias?: Readonly<Record<string, string | readonly string[]>>;
  default?: Readonly<Record<string, unknown>>;
  stopEarly?: boolean;
  "--"?: boolean;
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
export interface Args {
  _: (string | number)[];
  "--"?: string[];
  [key: string]: unknown;
}
export declare function parseArgs(args: readonly string[], options?: ParseOptions): Args;
