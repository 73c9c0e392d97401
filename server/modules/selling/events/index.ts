import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { Problem } from "../../../contract/problem.ts";
import type { App, SignedInActor } from "../../../http/app-types.ts";
import { handleStream } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { EventFeed, type PosEvent } from "./event-feed.ts";

type EventsModuleDeps = Base & Pick<ConstructorParameters<typeof EventFeed>[0], "findSessions">;

export function createEventsModule(deps: EventsModuleDeps) {
  const events = new EventFeed(deps);
  return {
    services: { events },
    async pos(app) {
      await registerEventRoutes(app, events);
      // Ends the streams first, because closing waits for all responses.
      app.addHook("preClose", async () => events.stop());
    },
    stop: () => events.stop(),
  } satisfies Module;
}

const STREAMS_PER_SESSION = 8;
const STREAMS_IN_ALL = 256;

async function registerEventRoutes(app: App, feed: EventFeed): Promise<void> {
  const { eventOperations } = await import("../../../contract/pos/events.ts");
  const streams = new Map<string, number>();
  let inAll = 0;
  function requireRoom({ tokenHash }: SignedInActor): void {
    if ((streams.get(tokenHash) ?? 0) >= STREAMS_PER_SESSION) {
      throw new Problem("RATE_LIMITED", "Too many windows of this sign-in are open.");
    }
    if (inAll >= STREAMS_IN_ALL) {
      throw new Problem("RATE_LIMITED", "Too many windows are open in this shop.");
    }
  }

  handleStream(app, eventOperations.follow, {
    admit: ({ actor }) => requireRoom(actor),
    handler: async ({ actor, reply }) => {
      const { tokenHash } = actor;
      inAll += 1;
      streams.set(tokenHash, (streams.get(tokenHash) ?? 0) + 1);
      const away = new AbortController();
      reply.sse.onClose(() => {
        away.abort();
        inAll -= 1;
        const left = (streams.get(tokenHash) ?? 1) - 1;
        if (left > 0) streams.set(tokenHash, left);
        else streams.delete(tokenHash);
      });
      const lastEventId = reply.sse.lastEventId ?? undefined;
      const events = feed.follow(actor, { lastEventId, signal: away.signal });
      await sendBytes(reply, events, away.signal);
    },
  });
}

/** Writes the shared bytes. The plugin would serialize an event for each stream. */
async function sendBytes(
  reply: FastifyReply,
  events: AsyncIterable<PosEvent>,
  signal: AbortSignal,
): Promise<void> {
  reply.sse.sendHeaders();
  for await (const { bytes } of events) {
    if (signal.aborted) return;
    if (reply.raw.write(bytes)) continue;
    // Waits until a slow reader has read the bytes or has disconnected.
    await once(reply.raw, "drain", { signal }).catch(() => undefined);
  }
}
