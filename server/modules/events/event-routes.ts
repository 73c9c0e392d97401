import "@fastify/sse";
import { type App, cashierOf } from "../../http/app-types.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { SessionService } from "../staff/index.ts";
import type { EventFeed } from "./event-feed.ts";

/** `GET /pos/events`: what happens, as Server-Sent Events. */
export function registerEventRoutes(
  app: App,
  { feed, sessions }: { feed: EventFeed; sessions: SessionService },
): void {
  app.get("/events", { onRequest: requireStaff, sse: "only" }, async (request, reply) => {
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
