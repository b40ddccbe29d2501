/** Answers the number that follows. */
export const INCREMENT = 40_000;

/** What a worker of the suite does: makes calls with numbers from `first` on, or serves until the end. */
export type FamilyRequest =
  & { readonly protocol: string; readonly handle: unknown }
  & (
    | { readonly kind: "call"; readonly first: number; readonly callCount: number }
    | { readonly kind: "serve" }
  );
