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

/** A client sends its first byte within this time; a browser that connected ahead of need connects again. */
const FIRST_BYTE_WITHIN_MS = 10 * SECOND;

/** A refused client reads its answer within this time. */
const LINGER_MS = 5 * SECOND;
/** Refused connections that may be open at once, beside those that the limits allow. */
const MAX_LINGERING = 128;

/** How many connections there may be at once. */
export interface ConnectionLimits {
  /** From one source on the network, see `sourceOf`: a till has some six. */
  ofSource: number;
  /** From the network in all. */
  ofNetwork: number;
  /** From this machine, which the network cannot take: its till, its integrators and their pools. */
  ofMachine: number;
}

/** Together fewer than the 1,024 files that many systems let a program open. */
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

/** Where a connection comes from: this machine, or a source on the network. */
const MACHINE = "this machine";
/** A proxy that is trusted, which has the connections of many. */
const PROXY = "a trusted proxy";
/** All of the network together. */
const NETWORK = "the network";

function whereFrom(address: string, isProxy: ConnectionLimitsDeps["isProxy"]): string {
  if (isLoopback(address)) return MACHINE;
  return isProxy(address) ? PROXY : sourceOf(address);
}

/** Connections that have sent nothing yet, the oldest first; they are closed in time. */
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

  /** It has asked, or is gone. */
  noteActivity(socket: Socket): void {
    this.#silent.delete(socket);
    if (this.#silent.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Takes out the oldest that has said nothing. @returns undefined where there is none */
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
    const at = oldest.since + FIRST_BYTE_WITHIN_MS;
    this.#cancel = this.#clock.wakeAt(at, () => this.#closeSilent());
  }

  #closeSilent(): void {
    this.#cancel = undefined;
    const before = this.#clock.now() - FIRST_BYTE_WITHIN_MS;
    for (const [socket, { since }] of this.#silent) {
      if (since > before) break;
      this.#silent.delete(socket);
      // What arrived and was not looked at yet is read first.
      void pause().then(() => {
        if (socket.bytesRead === 0) socket.destroy();
      });
    }
    this.#watch();
  }
}

/** How many connections there are, by where they come from. */
class ConnectionCounts {
  readonly #limits: ConnectionLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Counts one. @returns which is to make room, if there is none */
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
 * Keeps connections few enough that the next client gets in (rules#limit-connections). Those that send
 * nothing are closed after ten seconds, and before that to make room for the next. Where all of them
 * have sent something, the next is answered that there are too many, and closed. By TLS it is closed
 * without an answer, and one that does not get through its handshake counts as silent.
 * @param app the one that listens
 * @returns what refuses requests that came with a connection too many, in whichever application
 */
export function registerConnectionLimits(
  app: App,
  servers: ServerSet,
  { limits, isProxy, clock, ids, log }: ConnectionLimitsDeps,
): onRequestHookHandler {
  const counts = new ConnectionCounts(limits);
  const silent = new SilentConnections(clock);
  const refused = new WeakSet<Socket>();
  /** Connections under TLS: what is not encrypted would be no answer there. */
  const secure = new WeakSet<Socket>();
  /** Connections that were answered that there are too many, and are not closed yet. */
  let lingering = 0;
  let wasFull = false;

  /**
   * Answers 503 and closes. The client closes first, so that bytes of its request that are not read yet do not
   * reset the connection before it has read the answer.
   */
  function refuse(socket: Socket): void {
    if (secure.has(socket) || lingering >= MAX_LINGERING) {
      socket.destroy();
      return;
    }
    refused.add(socket);
    lingering++;
    const cancel = clock.wakeAt(clock.now() + LINGER_MS, () => socket.destroy());
    socket.once("close", () => {
      lingering--;
      cancel();
    });
    writeErrorAnswer(socket, tooMany(), ids.uuid());
    socket.resume();
  }

  servers.each(({ server, isSecure }) => {
    /** The connection under one that TLS made of it. */
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
        // Its request may be on the way: it gets an answer.
        if (oldest) refuse(oldest);
        return;
      }
      if (!wasFull) log.warn({ from }, "connections are refused: too many");
      wasFull = true;
      refuse(socket);
    });
    server.on("request", ({ socket }) => {
      silent.noteActivity((isSecure && under.get(peerOf(socket))) || socket);
    });
  });
  app.addHook("onClose", async () => silent.stop());
  // A request that came with the connection is not carried out: nobody would read its answer.
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
