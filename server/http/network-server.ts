import type { Server } from "node:http";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import { SECOND } from "../lib/clock.ts";
import type { App } from "./app-types.ts";
import { type Door, enterBy } from "./doors.ts";
import { answerBrokenRequest } from "./error-handler.ts";

/** What a listener proves who it is with, as PEM. */
interface Certificate {
  cert: string;
  key: string;
}

/** A server of the network that carries out an application's requests: TLS 1.2 or newer alone. */
export interface NetworkServer {
  readonly server: Server;
  /** Serves another certificate from now on; connections that there are keep theirs. */
  renew(certificate: Certificate): void;
}

export function createNetworkServer(
  app: App,
  { door, certificate, newId }: { door: Door; certificate: Certificate; newId: () => string },
): NetworkServer {
  const { keepAliveTimeout, requestTimeout, headersTimeout } = app.server;
  const times = { keepAliveTimeout, requestTimeout, headersTimeout };
  const server = createServer(
    {
      ...certificate,
      ...times,
      minVersion: "TLSv1.2",
      handshakeTimeout: 10 * SECOND,
      connectionsCheckingInterval: 5 * SECOND,
    },
    (request, response) => {
      enterBy(request, door);
      app.routing(request, response);
    },
  );
  const secured = new WeakSet<Socket>();
  server.on("secureConnection", (socket) => secured.add(socket));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // Plain HTTP and old versions of TLS get no answer: there is no safe way to give one.
    if (secured.has(socket)) answerBrokenRequest(error, socket, newId());
    else socket.destroy();
  });
  return {
    server,
    renew: (renewed) => server.setSecureContext({ ...renewed, minVersion: "TLSv1.2" }),
  };
}
