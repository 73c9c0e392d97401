import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a gateway and its PostgreSQL as a network does that may swallow what it carries. */
export interface PostgresProxy {
  /** The database's, through this. */
  readonly address: string;
  /** What the server says to connections for notices is lost from now on, though they stand. */
  swallowNotices(): void;
  letThrough(): void;
  /** How many connections for notices there have been. */
  countNoticeConnections(): number;
  close(): Promise<void>;
}

export async function startPostgresProxy(address: string): Promise<PostgresProxy> {
  const { hostname, port, pathname, username, password } = new URL(address);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  let ofNotices = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isOfNotices = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    client.once("data", (first) => {
      isOfNotices = first.includes("tillgate notices");
      if (isOfNotices) ofNotices += 1;
    });
    client.on("data", (bytes) => upstream.write(bytes));
    upstream.on("data", (bytes) => {
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
    },
    countNoticeConnections: () => ofNotices,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
