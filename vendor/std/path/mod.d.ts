export interface ParsedPath {
  root: string;
  dir: string;
  base: string;
  ext: string;
  name: string;
}
export declare const SEPARATOR: "/" | "\\";
export declare function basename(path: string, suffix?: string): string;
export declare function dirname(path: string): string;
export declare function extname(path: string): string;
export declare function fromFileUrl(url: string | URL): string;
export declare function globToRegExp(
  glob: string,
  options?: { extended?: boolean; globstar?: boolean; caseInsensitive?: boolean },
): RegExp;
export declare function isAbsolute(path: string): boolean;
export declare function join(...paths: string[]): string;
export declare function normalize(path: string): string;
export declare function parse(path: string): ParsedPath;
export declare function relative(from: string, to: string): string;
export declare function resolve(...paths: string[]): string;
export declare function toFileUrl(path: string): URL;
