import { once } from "node:events";
import type { Socket } from "node:net";
import type { onResponseHookHandler } from "fastify";
import { type Clock, SECOND } from "../lib/clock.ts";
import type { App } from "./app-types.ts";
import type { ServerSet } from "./server-set.ts";

/** A request whose body is still incomplete after this long is cut off. */
const LONGEST_GOODBYE_MS = 5 * SECOND;

/**
 * Keeps a stop from waiting for its clients. Requests under way are answered; Node closes by itself
 * what is idle when the stop begins, but not what becomes idle later, as after a long file, nor the
 * connections that browsers open ahead of need and that never sent a request, nor those whose
 * request never ends.
 * @param app the one that listens
 * @returns what is to be done after each answer, of whichever application
 */
export function registerGoodbye(app: App, servers: ServerSet, clock: Clock): onResponseHookHandler {
  const unused = new Set<Socket>();
  let stopping = false;
  let cancel: () => void = () => {};
  let closed: Promise<unknown>[] = [];

  servers.each(({ server, isSecure }) => {
    server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
      unused.add(socket);
      socket.once("close", () => unused.delete(socket));
    });
    server.on("request", ({ socket }) => unused.delete(socket));
  });
  app.addHook("preClose", async () => {
    stopping = true;
    // The application closes its own.
    const others = servers.list().filter(({ server }) => server !== app.server && server.listening);
    closed = others.map(({ server }) => once(server.close(), "close"));
    for (const socket of unused) socket.destroy();
    cancel = clock.wakeAt(clock.now() + LONGEST_GOODBYE_MS, () => {
      for (const { server } of servers.list()) server.closeAllConnections();
    });
  });
  app.addHook("onClose", async () => {
    await Promise.all(closed);
    cancel();
  });
  return (_request, _reply, done) => {
    if (stopping) for (const { server } of servers.list()) server.closeIdleConnections();
    done();
  };
}
