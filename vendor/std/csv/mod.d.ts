export interface ParseOptions {
  separator?: string;
  comment?: string;
  trimLeadingSpace?: boolean;
}
export interface StringifyOptions {
  columns?: readonly string[];
  headers?: boolean;
  separator?: string;
}
export declare function parse(input: string, options?: ParseOptions): string[][];
export declare function parse(
  input: string,
  options: ParseOptions & ({ skipFirstRow: true } | { columns: readonly string[] }),
): Record<string, string>[];
export declare function stringify(
  data: readonly (readonly unknown[] | Readonly<Record<string, unknown>>)[],
  options?: StringifyOptions,
): string;
