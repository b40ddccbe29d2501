import { testMarked } from "../testdata/marked_source.ts";

testMarked("JSX", {
  "a component has what it is given": `
    const [a, b] = [client.open(1), client.open(2)];
    const view = <Panel port={a} title="panel" {...rest}>{b}<b>text</b></Panel>;`,
  "a listener may close": `
    const port = client.open(1);
    const view = <Button onClick={() => port.close()} />;`,
  "what a listener returns is nobody's": `
    const view = <Button
      onClick={() => client.open(1).send()} //! unconsumed-port
      onHold={() => client.open(1).close()}
      make={() => client.open(1)}
    />;
    button.onclick = () => client.open(1); //! unconsumed-port
    button.addEventListener("click", () => client.open(1)); //! unconsumed-port`,
  "in a fragment": `
    const view = <><Line>{() => client.open(1)}</Line>{client.open(2)}</>; //! unconsumed-port`,
});
