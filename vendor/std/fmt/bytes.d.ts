export interface FormatOptions {
  bits?: boolean;
  binary?: boolean;
  signed?: boolean;
  locale?: boolean | string | string[];
  minimumFractionDigits?: number;
  maximumFractionDigits?: number;
}
export declare function format(num: number, options?: FormatOptions): string;
