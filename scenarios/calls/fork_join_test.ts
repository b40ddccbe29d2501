import { assertEquals, assertThrows } from "@std/assert";
import { ForkJoin } from "./fork_join.ts";

Deno.test("ForkJoin hands the same fork to every Worker, and each fork once", () => {
  const main = new ForkJoin();
  const workers = [1, 2].map(() => new ForkJoin(main.buffer));
  for (const callCount of [10, 0, 7]) {
    main.fork({ callCount, workerCount: workers.length });
    for (const worker of workers) {
      assertEquals(worker.awaitFork(), callCount);
      worker.reportDone();
    }
    main.join();
  }
  main.stop();
  assertEquals(workers.map((worker) => worker.awaitFork()), [-1, -1]);
});

Deno.test("ForkJoin.join() throws in the words of the Worker that failed", () => {
  const main = new ForkJoin();
  main.fork({ callCount: 1, workerCount: 2 });
  new ForkJoin(main.buffer).reportFailed("the server was shut down");
  assertThrows(() => main.join(), Error, "the server was shut down");
});
