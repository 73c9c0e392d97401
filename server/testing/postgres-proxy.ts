import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy between a gateway and PostgreSQL, which can fail like a network or a server. */
export interface PostgresProxy {
  readonly address: string;
  /** Drops the server's notifications from now on, while the connections stay open. */
  swallowNotices(): void;
  letThrough(): void;
  /**
   * Closes all connections, and refuses new ones.
   * @param after number of client packets that are forwarded before the stop
   */
  stopServer(options?: { after: number }): void;
  /**
   * Simulates a power failure of the server: open connections get no data and are not closed.
   * @param isBack true if the server has restarted and accepts new connections
   */
  losePower(options: { isBack: boolean }): void;
  /** Stops forwarding data on open connections, without closing them. */
  forgetConnections(): void;
  countNoticeConnections(): number;
  close(): Promise<void>;
}

export async function startPostgresProxy(address: string): Promise<PostgresProxy> {
  const { hostname, port, pathname, username, password } = new URL(address);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  let isAway = false;
  let piecesLeft = Infinity;
  let ofNotices = 0;
  const standing = new Set<{ client: Socket; upstream: Socket }>();
  function closeAll(): void {
    for (const socket of sockets) socket.destroy();
  }
  const server = createServer((client) => {
    if (piecesLeft <= 0) {
      client.on("error", () => {}).destroy();
      return;
    }
    if (isAway) {
      sockets.add(client);
      client.on("error", () => {}).resume();
      return;
    }
    const upstream = connect(Number(port), hostname);
    const pair = { client, upstream };
    standing.add(pair);
    let isOfNotices = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        if (standing.delete(pair)) other.destroy();
      });
    }
    client.once("data", (first) => {
      isOfNotices = first.includes("tillgate notices");
      if (isOfNotices) ofNotices += 1;
    });
    client.on("data", (bytes) => {
      if (piecesLeft <= 0) return;
      piecesLeft -= 1;
      if (piecesLeft <= 0) closeAll();
      else if (standing.has(pair)) upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!standing.has(pair)) return;
      if (!isSwallowing || !isOfNotices) client.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = (server.address() as AddressInfo).port;
  return {
    address: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    swallowNotices() {
      isSwallowing = true;
    },
    letThrough() {
      isSwallowing = false;
      isAway = false;
      piecesLeft = Infinity;
    },
    stopServer({ after } = { after: 0 }) {
      piecesLeft = after;
      if (after <= 0) closeAll();
    },
    losePower({ isBack }) {
      isAway = !isBack;
      const lost = [...standing];
      standing.clear();
      for (const { upstream } of lost) upstream.destroy();
    },
    forgetConnections() {
      standing.clear();
    },
    countNoticeConnections: () => ofNotices,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
