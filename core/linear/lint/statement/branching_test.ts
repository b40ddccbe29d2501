import { testMarked } from "../testdata/marked_source.ts";

testMarked("branching", {
  "both branches close": `
    const port = client.open(1);
    if (ready) port.close();
    else port.send(fill).close();`,
  "one branch closes": `
    const port = client.open(1); //! unconsumed-port
    if (ready) port.close();`,
  "one branch closes, then all do": `
    const port = client.open(1);
    if (ready) port.close();
    port.close(); //! double-move`,
  "one branch leaves": `
    function f() {
      const port = client.open(1);
      if (ready) { port.close(); return; }
      port.use(fill);
      port.close();
    }`,
  "a flag that is not followed": `
    const port = client.open(1); //! unconsumed-port
    let isClosed = false;
    if (ready) { port.close(); isClosed = true; }
    if (!isClosed) port.close(); //! double-move`,
  "else if": `
    const port = client.open(1); //! unconsumed-port
    if (a) port.close();
    else if (b) port.use(fill);
    else port.close();`,
  "every case closes": `
    const port = client.open(1);
    switch (kind) {
      case 1: port.close(); break;
      case 2: { port.send().close(); break; }
      default: port.close();
    }`,
  "no default, but all cases that there are": `
    const port = client.open(1);
    switch (kind) {
      case "a":
      case "b": port.close(); break;
      case "c": if (ready) port.close(); else port.send().close();
    }`,
  "no default, and a case that forgets": `
    const port = client.open(1); //! unconsumed-port
    switch (kind) {
      case 1: port.close(); break;
      case 2: break;
    }`,
  "no default, and a case that forgets on one path": `
    const port = client.open(1); //! unconsumed-port
    switch (kind) {
      case 1: port.close(); break;
      case 2: if (ready) port.close();
    }`,
  "a case falls through": `
    const port = client.open(1);
    switch (kind) {
      case 1: port.close();
      default: port.close(); //! double-move
    }`,
  "cases are separate": `
    const port = client.open(1);
    switch (kind) {
      case 1: port.close(); break;
      default: port.use(fill); port.close();
    }`,
  "default first": `
    const port = client.open(1);
    switch (kind) {
      default: port.close(); break;
      case 1: port.close(); break;
    }`,
  "a label is left": `
    const port = client.open(1); //! unconsumed-port
    done: {
      if (a) break done;
      port.close();
    }`,
  "a labelled if": `
    const port = client.open(1); //! unconsumed-port
    done: if (a) {
      if (b) break done;
      port.close();
    } else port.close();`,
});
