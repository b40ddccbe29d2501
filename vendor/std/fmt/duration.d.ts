export interface DurationFormatOptions {
  style?: "narrow" | "full" | "digital";
  ignoreZero?: boolean;
}
export declare function format(ms: number, options?: DurationFormatOptions): string;
