import type { Server } from "node:http";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import type { ListenAddress } from "../config/network.ts";
import { isPlainOnNetwork } from "../config/plain-http.ts";
import { StartupError } from "../config/startup-error.ts";
import type { App } from "../http/app-types.ts";
import { type Door, enterBy } from "../http/doors.ts";
import { answerBrokenRequest } from "../http/error-handler.ts";
import type { ServerSet } from "../http/server-set.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { SealError } from "../lib/sealer.ts";
import {
  CertificateError,
  type CertificateSource,
  OwnCertificate,
  ShopCertificate,
} from "../modules/shop/certificates/index.ts";
import { describeWays, entranceOf } from "../modules/shop/reach/index.ts";
import type { Context } from "./context.ts";

/** Interval of the checks of this machine's addresses, which change with its network. */
const LOOK_INTERVAL_MS = 5 * MINUTE;

export interface OpenNetwork {
  apiUrl: string | undefined;
  tillUrl: string | undefined;
  /** Stops renewing certificates. The listeners are closed with the application. */
  close(): Promise<void>;
}

/**
 * Opens the configured TLS listeners, and renews their certificate.
 * @throws StartupError if a port or a certificate is not available
 */
export async function openNetwork(
  ctx: Context,
  app: App,
  servers: ServerSet,
): Promise<OpenNetwork> {
  const { apiListen, tillListen, host, port } = ctx.config;
  const own = {
    scheme: "http",
    host,
    port: portOf(app.server) ?? port,
    server: app.server,
  } as const;
  if (!apiListen && !tillListen) {
    void noteReach(ctx, [own]);
    return { apiUrl: undefined, tillUrl: undefined, close: async () => undefined };
  }
  const source = sourceOf(ctx);
  const certificate = await currentOf(source);
  const opened: NetworkServer[] = [];
  const listening: Listening[] = [own];

  async function open(door: Door, option: string, where: ListenAddress): Promise<string> {
    const made = createNetworkServer(app, { door, certificate, newId: () => ctx.ids.uuid() });
    servers.add({ server: made.server, isSecure: true });
    opened.push(made);
    const taken = await listen(made.server, where, option);
    listening.push({ scheme: "https", host: where.host, port: taken, server: made.server });
    return `https://${where.host.includes(":") ? `[${where.host}]` : where.host}:${taken}`;
  }

  ctx.devices.authority = source.authority();
  const apiUrl = apiListen && (await open("api", "--api-listen", apiListen));
  const tillUrl = tillListen && (await open("till", "--till-listen", tillListen));
  if (tillListen && tillUrl !== undefined) {
    const listener = { host: tillListen.host, port: Number(new URL(tillUrl).port || 443) };
    const allowed = ctx.config.allowedHosts;
    ctx.devices.readEntrance = () => entranceOf(listener, { names: ctx.readNames(), allowed });
  }
  void noteReach(ctx, listening);
  return { apiUrl, tillUrl, close: keepNew(ctx, { source, certificate, opened }) };
}

type Listening = Parameters<Context["reach"]["watch"]>[0][number];

/** Logs the addresses for other machines. Warns if something may block them. */
async function noteReach({ reach, log }: Context, listening: readonly Listening[]) {
  reach.watch(listening.filter(isPlainOnNetwork));
  const ways = await reach.findWays();
  if (ways.length === 0) return;
  const { isInDoubt, lines } = describeWays(ways);
  for (const line of lines) log[isInDoubt ? "warn" : "info"](line);
}

interface Kept {
  source: CertificateSource;
  certificate: { cert: string; key: string };
  opened: readonly NetworkServer[];
}

function keepNew({ clock, log }: Context, { source, certificate, opened }: Kept) {
  let served = certificate;
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  let cancel = () => {};
  const look = async () => {
    try {
      const current = await source.current();
      if (current === served || isStopped) return;
      served = current;
      for (const { renew } of opened) renew(current);
    } catch (error) {
      log.error({ err: error }, "the certificate could not be renewed: the one before is served");
    }
  };
  const wait = () => {
    cancel = clock.wakeAt(clock.now() + LOOK_INTERVAL_MS, () => {
      looking = look();
      void looking.then(() => isStopped || wait());
    });
  };
  wait();
  return async () => {
    isStopped = true;
    cancel();
    await looking;
  };
}

function sourceOf({ config, sealer, clock, log, readNames }: Context) {
  if (config.tls) return new OwnCertificate(config.tls, log);
  const { dataDir, allowedHosts } = config;
  return new ShopCertificate({
    dataDir,
    sealer,
    clock,
    log,
    readNames: () => [...new Set([...readNames(), ...allowedHosts])],
  });
}

async function currentOf(source: CertificateSource) {
  try {
    return await source.current();
  } catch (error) {
    const isForPeople = error instanceof CertificateError || error instanceof SealError;
    throw isForPeople ? new StartupError(error.message) : error;
  }
}

async function listen(server: Server, { host, port }: ListenAddress, option: string) {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenProblem(error, { host, port }, option)));
    server.listen({ host, port }, resolve);
  });
  return portOf(server) ?? port;
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" && address ? address.port : undefined;
}

function listenProblem(error: Error, { host, port }: ListenAddress, option: string): StartupError {
  const { code } = error as NodeJS.ErrnoException;
  const where = `${host}:${port}`;
  if (code === "EADDRINUSE") {
    return new StartupError(`The port ${where} is in use. Choose another with ${option}.`);
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new StartupError(`${option}: ${host} is not an address of this machine.`);
  }
  return new StartupError(`${option}: the port ${where} cannot be opened (${code}).`);
}

interface Certificate {
  cert: string;
  key: string;
}

/** A server that requires TLS 1.2 or newer. */
interface NetworkServer {
  readonly server: Server;
  /** Existing connections continue with the old certificate. */
  renew(certificate: Certificate): void;
}

function createNetworkServer(
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
    // Clients with plain HTTP or old TLS get no response, because it could not be encrypted.
    if (secured.has(socket)) answerBrokenRequest(error, socket, newId());
    else socket.destroy();
  });
  return {
    server,
    renew: (renewed) => server.setSecureContext({ ...renewed, minVersion: "TLSv1.2" }),
  };
}
