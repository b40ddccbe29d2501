export interface DelayOptions {
  signal?: AbortSignal;
  persistent?: boolean;
}
export interface DeadlineOptions {
  signal?: AbortSignal;
}
export declare function delay(ms: number, options?: DelayOptions): Promise<void>;
export declare function deadline<T>(
  promise: Promise<T>,
  ms: number,
  options?: DeadlineOptions,
): Promise<T>;
export declare function pooledMap<T, R>(
  poolLimit: number,
  array: Iterable<T> | AsyncIterable<T>,
  iteratorFn: (value: T) => Promise<R>,
): AsyncIterableIterator<R>;
