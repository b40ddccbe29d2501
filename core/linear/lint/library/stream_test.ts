import { testMarked } from "../testdata/marked_source.ts";

testMarked("readable stream", {
  "what waits in the queue is lost when the reader cancels": `
    const stream = new ReadableStream({
      start(controller) {
        for (const opcode of [1, 2]) {
          const port = client.open(opcode); //! unconsumed-port
          controller.enqueue(port);
        }
        controller.close();
      },
    });
    const reader = stream.getReader();
    const { done, value } = await reader.read();
    if (!done) value.close();
    await reader.cancel();`,
  "a port is closed twice, once where it is read": `
    const stream = new ReadableStream({
      start(controller) {
        const port = client.open(1);
        controller.enqueue(port);
        port.close();
        controller.close();
      },
    });
    for await (const port of stream) port.close(); //! double-move`,
  "a loop that breaks loses what was pulled ahead": `
    const stream = new ReadableStream({
      pull(controller) { controller.enqueue(client.open(1)); }, //! unconsumed-port
    });
    for await (const port of stream) {
      port.close();
      break;
    }`,
  "nothing is pulled ahead where nothing may wait": `
    const stream = new ReadableStream({
      pull(controller) { controller.enqueue(client.open(1)); },
    }, { highWaterMark: 0 });
    for await (const port of stream) {
      port.close();
      break;
    }`,
  "a lease is closed by cancel": `
    export function lease() {
      let port: OwnedPort<0> | undefined;
      const end = () => {
        const last = port;
        port = undefined;
        last?.close();
      };
      return new ReadableStream({
        start() { port = client.open(1); },
        pull(controller) {
          if (more()) return controller.enqueue(read());
          end();
          controller.close();
        },
        cancel: end,
      });
    }`,
  "code from elsewhere may cancel": `
    const port = client.open(1); //! unconsumed-port
    const body = new ReadableStream({
      pull(controller) {
        port.close();
        controller.close();
      },
    }, { highWaterMark: 0 });
    respond(new Response(body));`,
});

testMarked("writable stream", {
  "nobody sees to what is kept when it is aborted": `
    export function sink() {
      const batch: OwnedPort<0>[] = [];
      return new WritableStream({
        async write(value) { batch.push(await client.openAsync(value)); }, //! unconsumed-port
        close() { for (const port of batch.splice(0)) port.close(); },
      });
    }`,
  "the program itself closes": `
    const port = client.open(1);
    const writer = new WritableStream({
      write() { port.use(fill); },
      close() { port.close(); },
    }).getWriter();
    await writer.write(1);
    await writer.close();`,
  "a failing source aborts the sink": `
    const port = client.open(1); //! unconsumed-port
    const source = new ReadableStream({ pull() { throw new Error("over"); } });
    const sink = new WritableStream({ close() { port.close(); } });
    await source.pipeTo(sink).catch(log);`,
});

const NUMBERS = `
    const numbers = new ReadableStream({
      start(controller) {
        controller.enqueue(1);
        controller.close();
      },
    });
    const kept: OwnedPort<0>[] = [];`;

testMarked("transform stream", {
  "flush sees to what is kept": `${NUMBERS}
    const opened = new TransformStream({
      transform(value) { kept.push(client.open(value)); },
      flush() { for (const port of kept) port.close(); },
    });
    for await (const value of numbers.pipeThrough(opened)) console.log(value);`,
  "nobody sees to what is kept": `${NUMBERS}
    const opened = new TransformStream({
      transform(value) { kept.push(client.open(value)); }, //! unconsumed-port
    });
    for await (const value of numbers.pipeThrough(opened)) console.log(value);`,
});
