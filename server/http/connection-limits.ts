import type { Socket } from "node:net";
import { Problem } from "../contract/problem.ts";
import { type Clock, pause, SECOND } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { sourceOf } from "../lib/place.ts";
import { isLoopback } from "./addresses.ts";
import type { App } from "./app-types.ts";
import { writeErrorAnswer } from "./error-handler.ts";

/** Whoever connects says something by then; a browser that opened one ahead of need opens another. */
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

interface Parts {
  limits: ConnectionLimits;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/**
 * Keeps connections few enough that whoever comes next gets in: those that say nothing are closed
 * after ten seconds, and those beyond the limits are told so and closed at once.
 */
export function registerConnectionLimits(app: App, { limits, clock, ids, log }: Parts): void {
  const counts = new Map<string, number>();
  const refused = new WeakSet<Socket>();
  /** Connections that have sent nothing yet and when they were made, the oldest first. */
  const silent = new Map<Socket, number>();
  let cancel: (() => void) | undefined;
  let isStopped = false;
  let wasFull = false;

  function count(key: string, step: 1 | -1): number {
    const counted = (counts.get(key) ?? 0) + step;
    if (counted > 0) counts.set(key, counted);
    else counts.delete(key);
    return counted;
  }

  function take(address: string, step: 1 | -1): boolean {
    if (isLoopback(address)) return count("machine", step) <= limits.ofMachine;
    const ofSource = count(`source ${sourceOf(address)}`, step);
    return count("network", step) <= limits.ofNetwork && ofSource <= limits.ofSource;
  }

  function closeSilent(): void {
    cancel = undefined;
    const before = clock.now() - FIRST_BYTE_WITHIN_MS;
    for (const [socket, since] of silent) {
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
    cancel = clock.wakeAt(oldest + FIRST_BYTE_WITHIN_MS, closeSilent);
  }

  /** It has asked, or is gone. */
  function noteHeard(socket: Socket): void {
    silent.delete(socket);
    if (silent.size > 0) return;
    cancel?.();
    cancel = undefined;
  }

  app.server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    const isFull = !take(address, 1);
    socket.once("close", () => {
      take(address, -1);
      noteHeard(socket);
    });
    if (!isFull) {
      wasFull = false;
      silent.set(socket, clock.now());
      watchSilent();
      return;
    }
    if (!wasFull) log.warn({ address: sourceOf(address) }, "connections are refused: too many");
    wasFull = true;
    refused.add(socket);
    writeErrorAnswer(socket, tooMany(), ids.uuid());
    socket.destroySoon();
  });
  app.server.on("request", ({ socket }) => noteHeard(socket));
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
