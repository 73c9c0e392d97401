import type { Socket } from "node:net";
import { type Clock, SECOND } from "../lib/clock.ts";
import type { App } from "./app-types.ts";

/** A request whose body is still incomplete after this long is cut off. */
const LONGEST_GOODBYE_MS = 5 * SECOND;

/**
 * Keeps a stop from waiting for its clients. Requests under way are answered; Node closes by itself
 * what is idle when the stop begins, but not what becomes idle later, as after a long file, nor the
 * connections that browsers open ahead of need and that never sent a request, nor those whose
 * request never ends.
 */
export function registerGoodbye(app: App, clock: Clock): void {
  const unused = new Set<Socket>();
  let stopping = false;
  let cancel: () => void = () => {};

  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }) => unused.delete(socket));
  app.addHook("onResponse", (_request, _reply, done) => {
    if (stopping) app.server.closeIdleConnections();
    done();
  });
  app.addHook("preClose", async () => {
    stopping = true;
    for (const socket of unused) socket.destroy();
    cancel = clock.wakeAt(clock.now() + LONGEST_GOODBYE_MS, () => app.server.closeAllConnections());
  });
  app.addHook("onClose", async () => cancel());
}
