import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Client } from "pg";

/**
 * A proxy that shares a few PostgreSQL connections between transactions, like PgBouncer with
 * `pool_mode = transaction`.
 */
export interface TransactionPooler {
  readonly address: string;
  close(): Promise<void>;
}

const HEADER_BYTES = 5;
const READY = "Z";
const TERMINATE = "X";
const IDLE = "I";

interface Lent {
  socket: Socket;
  holder: Socket | undefined;
}

export async function startTransactionPooler(
  address: string,
  size = 3,
): Promise<TransactionPooler> {
  const { hostname, pathname, username } = new URL(address);
  const clients = Array.from({ length: size }, () => new Client(address));
  const free: Lent[] = [];
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  for (const client of clients) {
    client.on("error", () => {});
    await client.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners("data");
    const lent: Lent = { socket: stream, holder: undefined };
    const read = readMessages((type, message) => {
      const { holder } = lent;
      holder?.write(message);
      if (type !== READY || String.fromCharCode(message[HEADER_BYTES] ?? 0) !== IDLE) return;
      lent.holder = undefined;
      free.push(lent);
      waiting.shift()?.();
    });
    stream.on("data", read);
    free.push(lent);
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let lent: Lent | undefined;
    let turn = Promise.resolve();
    let read: ((bytes: Buffer) => void) | undefined;
    const forward = async (type: string, message: Buffer) => {
      if (type === TERMINATE) {
        socket.end();
        return;
      }
      if (lent?.holder !== socket) {
        while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
        // Lends the most recently used connection, as PgBouncer does.
        lent = free.pop()!;
        lent.holder = socket;
      }
      lent.socket.write(message);
    };
    socket.on("data", (bytes) => {
      if (read) {
        read(bytes);
        return;
      }
      // The pooler itself answers the client's first message, the startup.
      read = readMessages((type, message) => {
        turn = turn.then(() => forward(type, message));
      });
      socket.write(greeting());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `postgres://${username}:any@${hostname}:${port}${pathname}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      for (const { connection } of clients as unknown as { connection: { stream: Socket } }[]) {
        connection.stream.destroy();
      }
      await once(server, "close");
    },
  };
}

function greeting(): Buffer {
  const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
  const key = Buffer.from([0x4b, 0, 0, 0, 12, 0x7f, 0, 0, 1, 0, 0, 0, 1]);
  const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
  return Buffer.concat([authenticated, key, ready]);
}

function readMessages(onMessage: (type: string, message: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= HEADER_BYTES) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      onMessage(String.fromCharCode(message[0] ?? 0), message);
    }
  };
}
