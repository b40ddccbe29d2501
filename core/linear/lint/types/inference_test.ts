import { testMarked } from "../testdata/marked_source.ts";

testMarked("inference", {
  "a client that is made here": `
    const made = new TypedClient(channel);
    made.open(1); //! unconsumed-port`,
  "a client that comes in": `
    function f(given: TypedClient, other) {
      given.open(1); //! unconsumed-port
      other.open(1);
    }`,
  "a client under another name": `
    const other = client;
    const third = ready ? other : client;
    third.open(1); //! unconsumed-port`,
  "a client from a function of this file": `
    function connect(): TypedClient { return elsewhere(); }
    const again = () => new TypedClient(channel);
    connect().open(1); //! unconsumed-port
    again().open(1); //! unconsumed-port`,
  "an awaited client": `
    async function connect(): Promise<TypedClient> { return await elsewhere(); }
    (await connect()).open(1); //! unconsumed-port`,
  "a name in its own initialiser": `
    const odd = odd ?? client.open(1);
    odd.close();`,
  "methods that give no port": `
    client.rpcInvoke(1, { fill, use });
    const isFree = client.isFree();`,
  "a server's port": `
    const maybe = server.tryOpen();
    if (maybe.present) maybe.value.send(work).close();
    server.tryOpen(); //! unconsumed-port`,
  "var belongs to the file, a namespace or a static block": `
    var port = client.open(1); //! unconsumed-port
    if (ready) {
      var other = client.open(2);
      other.close();
      other.close(); //! double-move
    }
    namespace Inner {
      var port = client.open(3); //! unconsumed-port
    }
    class Holder {
      static {
        var port = client.open(4); //! unconsumed-port
      }
    }`,
});
