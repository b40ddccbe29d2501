import type { Procedure } from "../flow/graph.ts";
import type { Binding } from "../syntax/scope.ts";

/** The names from outside that each procedure deals with, itself or through those that it uses. */
export type Reach = ReadonlyMap<Procedure, ReadonlySet<Binding>>;

/** Carries what procedures do to outer names to whoever uses them, until nothing new comes. */
export function reachOf(
  procedures: ReadonlySet<Procedure>,
  what: "touches" | "consumes",
): Reach {
  const reach = new Map([...procedures].map((one) => [one, new Set(one[what])]));
  const users = usersOf(procedures);
  const waiting = new Set([...procedures].filter((one) => one[what].size > 0));
  for (const procedure of waiting) {
    waiting.delete(procedure); // a Set visits an element again that is added again
    const outer = [...reach.get(procedure)!].filter(({ scope }) => scope.owner !== procedure);
    for (const user of users.get(procedure) ?? []) {
      const known = reach.get(user)!;
      const before = known.size;
      for (const binding of outer) if (!user.owns(binding)) known.add(binding);
      if (known.size > before) waiting.add(user);
    }
  }
  return reach;
}

/** Who calls, makes or hands on each procedure. */
export function usersOf(
  procedures: ReadonlySet<Procedure>,
): ReadonlyMap<Procedure, Set<Procedure>> {
  const users = new Map<Procedure, Set<Procedure>>();
  for (const user of procedures) {
    for (const used of user.uses) {
      const known = users.get(used) ?? new Set();
      users.set(used, known.add(user));
    }
  }
  return users;
}
