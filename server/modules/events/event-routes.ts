import "@fastify/sse";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../contract/problem.ts";
import { type App, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { SessionService } from "../staff/index.ts";
import type { EventFeed } from "./event-feed.ts";

const EVENT_STREAM = /text\/event-stream|text\/\*|\*\/\*/i;

/** `GET /pos/events`: what happens, as Server-Sent Events. */
export function registerEventRoutes(
  app: App,
  { feed, sessions }: { feed: EventFeed; sessions: SessionService },
): void {
  async function requireReader({ headers }: FastifyRequest): Promise<void> {
    if (headers.accept === undefined || EVENT_STREAM.test(headers.accept)) return;
    throw new Problem("NOT_FOUND", "There is only an event stream here.");
  }

  const onRequest = [requireStaff, requireReader];
  app.get("/events", { onRequest, sse: "only" }, async (request, reply) => {
    const { accountId, environment, tokenHash } = cashierOf(request);
    const away = new AbortController();
    reply.sse.onClose(() => away.abort());
    const follower = {
      lastEventId: reply.sse.lastEventId ?? undefined,
      signal: away.signal,
      isSignedIn: async () => (await sessions.findByHash(tokenHash)) !== undefined,
    };
    await reply.sse.send(feed.follow({ accountId, environment }, follower));
  });
}
