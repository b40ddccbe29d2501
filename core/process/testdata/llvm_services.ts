/** The requests of `llvm_memory.hpp`, for servers of this library. */
import type { Server } from "../../toggle/server/server.ts";

export function addServices(server: Server): void {
  server.operate(40_000, (packet) => {
    packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
  });
  server.operateStream(40_001, (bytesByLane) => bytesByLane);
  server.operatePort(40_002, (port) => {
    let end = 0;
    const counts: number[] = [];
    const take = (packet: Parameters<Parameters<typeof port.recv>[0]>[0]) =>
      packet.forEachLane((lane) => counts[lane] = packet.getUint32(lane, 0));
    const put = (packet: Parameters<typeof take>[0]) =>
      packet.forEachLane((lane) => packet.setUint32(lane, 0, ++counts[lane]!));
    port.recv((packet) => void (end = packet.getUint32(packet.firstLane, 0)));
    port.recv(take);
    port.send(put);
    port.recv(take);
    port.send(put);
    port.recv(take);
    port.recv(take);
    port.send(put);
    port.send(put);
    if (end !== 0) port.recv(take);
    else port.send(put);
  });
  server.operatePort(40_003, (port) => void port.recv(() => {}));
}
