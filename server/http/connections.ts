import type { Socket } from "node:net";
import { type Clock, SECOND } from "../lib/clock.ts";
import type { App } from "./app-types.ts";

/** A request that is not through by then, its body half sent, is cut off. */
const LONGEST_GOODBYE_MS = 5 * SECOND;

/**
 * Keeps a stop from waiting for its clients. Requests under way are answered; Node closes what is
 * idle after a request by itself, but not the connections that browsers open ahead of need and
 * that never sent one, nor those whose request never ends.
 */
export function registerGoodbye(app: App, clock: Clock): void {
  const unused = new Set<Socket>();
  let cancel: () => void = () => {};

  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }) => unused.delete(socket));
  app.addHook("preClose", async () => {
    for (const socket of unused) socket.destroy();
    cancel = clock.wakeAt(clock.now() + LONGEST_GOODBYE_MS, () => app.server.closeAllConnections());
  });
  app.addHook("onClose", async () => cancel());
}
