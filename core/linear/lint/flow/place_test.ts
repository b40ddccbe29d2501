import { testMarked } from "../testdata/marked_source.ts";

testMarked("place", {
  "the value of a Maybe is its port": `
    const maybe = client.tryOpen(1);
    if (!maybe.present) Deno.exit(1);
    maybe.value.use(fill);
    const sent = maybe.value.send();
    maybe.value.close(); //! double-move
    sent.close();`,
  "through casts and optional chains": `
    const maybe = client.tryOpen(1);
    if (maybe?.present) (maybe!.value as OwnedPort<0>)?.close();`,
  "the value of a value is nothing": `
    const maybe = client.tryOpen(1);
    if (maybe.present) { work(maybe.value.value); maybe.value.close(); }`,
  "a value of something else": `
    const box = { value: 1 };
    box.value;
    box.value = 2;`,
  "moved as a whole": `
    const maybe = client.tryOpen(1);
    const other = maybe;
    if (other.present) other.value.close();`,
});
