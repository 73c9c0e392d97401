import { once } from "node:events";
import type { Socket } from "node:net";
import type { onRequestHookHandler, onResponseHookHandler } from "fastify";
import { Problem } from "../contract/problem.ts";
import { type Clock, pause, SECOND } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { sourceOf } from "../lib/place.ts";
import { isLoopback } from "./addresses.ts";
import type { App } from "./app-types.ts";
import { writeErrorAnswer } from "./error-handler.ts";
import type { ServerSet } from "./server-set.ts";

/**
 * Timeout for the first byte of a connection. A browser that connected in advance reconnects later.
 */
const FIRST_BYTE_TIMEOUT_MS = 10 * SECOND;

/** Time for a refused client to read its response. */
const LINGER_MS = 5 * SECOND;
/**
 * Maximum number of refused connections that are still open, in addition to the limits. Beyond it,
 * the oldest one is closed.
 */
const MAX_LINGERING = 128;

export interface ConnectionLimits {
  /** Limit of one source on the network. A till uses about six connections. */
  ofSource: number;
  ofNetwork: number;
  /** Reserved for this machine: its till and its integrators' connection pools. */
  ofMachine: number;
}

/**
 * The sum is below 1,024, which on many systems is the maximum number of open files per process.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  ofSource: 128,
  ofNetwork: 448,
  ofMachine: 320,
};

interface ConnectionLimitsDeps {
  limits: ConnectionLimits;
  clock: Clock;
  ids: Ids;
  log: Log;
  isProxy(address: string): boolean;
}

const MACHINE = "this machine";
/** Source of connections from trusted proxies. A proxy forwards the connections of many clients. */
const PROXY = "a trusted proxy";
const NETWORK = "the network";

function whereFrom(address: string, isProxy: ConnectionLimitsDeps["isProxy"]): string {
  if (isLoopback(address)) return MACHINE;
  return isProxy(address) ? PROXY : sourceOf(address);
}

/** Connections that have not sent anything, oldest first. */
class SilentConnections {
  readonly #clock: Clock;
  readonly #silent = new Map<Socket, { from: string; since: number }>();
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(socket: Socket, from: string): void {
    this.#silent.set(socket, { from, since: this.#clock.now() });
    this.#watch();
  }

  noteActivity(socket: Socket): void {
    this.#silent.delete(socket);
    if (this.#silent.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  takeOldest(isOneOf: (from: string) => boolean): Socket | undefined {
    for (const [socket, { from }] of this.#silent) {
      if (!isOneOf(from)) continue;
      this.#silent.delete(socket);
      return socket;
    }
    return undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #watch(): void {
    const [oldest] = this.#silent.values();
    if (oldest === undefined || this.#cancel || this.#isStopped) return;
    const at = oldest.since + FIRST_BYTE_TIMEOUT_MS;
    this.#cancel = this.#clock.wakeAt(at, () => this.#closeSilent());
  }

  #closeSilent(): void {
    this.#cancel = undefined;
    const before = this.#clock.now() - FIRST_BYTE_TIMEOUT_MS;
    for (const [socket, { since }] of this.#silent) {
      if (since > before) break;
      this.#silent.delete(socket);
      // If bytes have already arrived, they are processed first.
      void pause().then(() => {
        if (socket.bytesRead === 0) socket.destroy();
      });
    }
    this.#watch();
  }
}

class ConnectionCounts {
  readonly #limits: ConnectionLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * @returns undefined within the limits; otherwise a filter that matches the connections that may
   * be closed to make room
   */
  add(from: string): ((other: string) => boolean) | undefined {
    const { ofMachine, ofSource, ofNetwork } = this.#limits;
    const most = { [MACHINE]: ofMachine, [PROXY]: ofNetwork }[from] ?? ofSource;
    const isFull = this.#count(from, 1) > most;
    const isNetworkFull = from !== MACHINE && this.#count(NETWORK, 1) > ofNetwork;
    if (isFull) return (other) => other === from;
    return isNetworkFull ? (other) => other !== MACHINE : undefined;
  }

  remove(from: string): void {
    this.#count(from, -1);
    if (from !== MACHINE) this.#count(NETWORK, -1);
  }

  #count(key: string, step: 1 | -1): number {
    const counted = (this.#counts.get(key) ?? 0) + step;
    if (counted > 0) this.#counts.set(key, counted);
    else this.#counts.delete(key);
    return counted;
  }
}

/**
 * Limits connections (rules#limit-connections). Silent connections are closed after ten seconds, or
 * earlier to make room. If no connection is silent, a new connection gets an error response; a TLS
 * connection is closed without a response. A connection with an unfinished handshake is silent.
 * @param app the application that listens
 * @returns a hook that refuses requests of excess connections, for every application
 */
export function registerConnectionLimits(
  app: App,
  servers: ServerSet,
  { limits, isProxy, clock, ids, log }: ConnectionLimitsDeps,
): onRequestHookHandler {
  const counts = new ConnectionCounts(limits);
  const silent = new SilentConnections(clock);
  const refused = new WeakSet<Socket>();
  /** Connections on which an unencrypted response is impossible. */
  const secure = new WeakSet<Socket>();
  /** Refused connections that are not closed yet, the oldest first. */
  const lingering = new Set<Socket>();
  let wasFull = false;

  /**
   * Responds with 503. Waits until the client closes, because unread bytes of its request would
   * reset the connection before the client has read the response.
   */
  function refuse(socket: Socket): void {
    if (secure.has(socket)) {
      socket.destroy();
      return;
    }
    const [oldest] = lingering;
    if (oldest && lingering.size >= MAX_LINGERING) {
      lingering.delete(oldest);
      oldest.destroy();
    }
    refused.add(socket);
    lingering.add(socket);
    const cancel = clock.wakeAt(clock.now() + LINGER_MS, () => socket.destroy());
    socket.once("close", () => {
      lingering.delete(socket);
      cancel();
    });
    writeErrorAnswer(socket, tooMany(), ids.uuid());
    socket.resume();
  }

  servers.each(({ server, isSecure }) => {
    /** TCP connections by peer, to find the TCP connection below a TLS connection. */
    const under = new Map<string, Socket>();
    server.on("connection", (socket: Socket) => {
      const address = socket.remoteAddress ?? "";
      const from = whereFrom(address, isProxy);
      const peer = peerOf(socket);
      if (isSecure) {
        under.set(peer, socket);
        secure.add(socket);
      }
      const inTheWay = counts.add(from);
      socket.once("close", () => {
        counts.remove(from);
        silent.noteActivity(socket);
        if (under.get(peer) === socket) under.delete(peer);
      });
      const oldest = inTheWay && silent.takeOldest(inTheWay);
      if (!inTheWay || oldest) {
        wasFull = false;
        silent.add(socket, from);
        // The client of the oldest connection may just be sending a request, so it gets a response.
        if (oldest) refuse(oldest);
        return;
      }
      if (!wasFull) log.warn({ from }, "connections refused: limit reached");
      wasFull = true;
      refuse(socket);
    });
    server.on("request", ({ socket }) => {
      silent.noteActivity((isSecure && under.get(peerOf(socket))) || socket);
    });
  });
  app.addHook("onClose", async () => silent.stop());
  // The client of a refused connection has already got its response, so the request is not
  // processed.
  return (request, _reply, done) => {
    if (refused.has(request.raw.socket)) throw tooMany();
    done();
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function tooMany(): Problem {
  return new Problem("SYSTEM_UNAVAILABLE", "Too many connections are open. Try again shortly.");
}

/** Timeout for requests that are incomplete when a stop starts. */
const STOP_TIMEOUT_MS = 5 * SECOND;

/**
 * Prevents clients from delaying a stop. When a stop starts, Node closes idle connections. It does
 * not close connections that become idle later, never sent a request, or never end a request.
 * @param app the application that listens
 * @returns a hook for the end of every response, for every application
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
    // The application itself closes its own server.
    const others = servers.list().filter(({ server }) => server !== app.server && server.listening);
    closed = others.map(({ server }) => once(server.close(), "close"));
    for (const socket of unused) socket.destroy();
    cancel = clock.wakeAt(clock.now() + STOP_TIMEOUT_MS, () => {
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
