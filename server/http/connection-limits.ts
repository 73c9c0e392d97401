import type { Socket } from "node:net";
import { Problem } from "../contract/problem.ts";
import { type Clock, pause, SECOND } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { sourceOf } from "../lib/place.ts";
import { isLoopback } from "./addresses.ts";
import type { App } from "./app-types.ts";
import { writeErrorAnswer } from "./error-handler.ts";

/** A client sends its first byte within this time; a browser that connected ahead of need connects again. */
const FIRST_BYTE_WITHIN_MS = 10 * SECOND;

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

interface Deps {
  limits: ConnectionLimits;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Where a connection comes from: this machine, or a source on the network. */
const MACHINE = "this machine";
/** All of the network together. */
const NETWORK = "the network";

/**
 * Keeps connections few enough that the next client gets in (rules#limit-connections). Those that send
 * nothing are closed after ten seconds, and before that to make room for the next. Where all of them
 * have sent something, the next is answered that there are too many, and closed.
 */
export function registerConnectionLimits(app: App, { limits, clock, ids, log }: Deps): void {
  const counts = new Map<string, number>();
  const refused = new WeakSet<Socket>();
  /** Connections that have sent nothing yet, the oldest first. */
  const silent = new Map<Socket, { from: string; since: number }>();
  let cancel: (() => void) | undefined;
  let isStopped = false;
  let wasFull = false;

  function count(key: string, step: 1 | -1): number {
    const counted = (counts.get(key) ?? 0) + step;
    if (counted > 0) counts.set(key, counted);
    else counts.delete(key);
    return counted;
  }

  /** Counts one. @returns who is to make room, if there is none */
  function add(from: string): ((other: string) => boolean) | undefined {
    const isFull = count(from, 1) > (from === MACHINE ? limits.ofMachine : limits.ofSource);
    const isNetworkFull = from !== MACHINE && count(NETWORK, 1) > limits.ofNetwork;
    if (isFull) return (other) => other === from;
    return isNetworkFull ? (other) => other !== MACHINE : undefined;
  }

  function remove(from: string): void {
    count(from, -1);
    if (from !== MACHINE) count(NETWORK, -1);
  }

  /** Closes the oldest that has said nothing. @returns whether there was one */
  function makeRoom(isOneOf: (from: string) => boolean): boolean {
    for (const [socket, { from }] of silent) {
      if (!isOneOf(from)) continue;
      silent.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  function closeSilent(): void {
    cancel = undefined;
    const before = clock.now() - FIRST_BYTE_WITHIN_MS;
    for (const [socket, { since }] of silent) {
      if (since > before) break;
      silent.delete(socket);
      // What arrived and was not looked at yet is read first.
      void pause().then(() => {
        if (socket.bytesRead === 0) socket.destroy();
      });
    }
    watchSilent();
  }

  function watchSilent(): void {
    const [oldest] = silent.values();
    if (oldest === undefined || cancel || isStopped) return;
    cancel = clock.wakeAt(oldest.since + FIRST_BYTE_WITHIN_MS, closeSilent);
  }

  /** It has asked, or is gone. */
  function noteActivity(socket: Socket): void {
    silent.delete(socket);
    if (silent.size > 0) return;
    cancel?.();
    cancel = undefined;
  }

  app.server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    const from = isLoopback(address) ? MACHINE : sourceOf(address);
    const inTheWay = add(from);
    socket.once("close", () => {
      remove(from);
      noteActivity(socket);
    });
    if (!inTheWay || makeRoom(inTheWay)) {
      wasFull = false;
      silent.set(socket, { from, since: clock.now() });
      watchSilent();
      return;
    }
    if (!wasFull) log.warn({ from }, "connections are refused: too many");
    wasFull = true;
    refused.add(socket);
    writeErrorAnswer(socket, tooMany(), ids.uuid());
    socket.destroySoon();
  });
  app.server.on("request", ({ socket }) => noteActivity(socket));
  // A request that came with the connection is not carried out: nobody would read its answer.
  app.addHook("onRequest", (request, _reply, done) => {
    if (refused.has(request.raw.socket)) throw tooMany();
    done();
  });
  app.addHook("onClose", async () => {
    isStopped = true;
    cancel?.();
  });
}

function tooMany(): Problem {
  return new Problem("SYSTEM_UNAVAILABLE", "Too many connections are open. Try again shortly.");
}
