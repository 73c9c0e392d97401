import "@fastify/sse";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../contract/problem.ts";
import { type App, type Cashier, cashierOf } from "../../http/app-types.ts";
import { requireEventReader } from "../../http/event-reader.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { EventFeed } from "./event-feed.ts";

/** Windows of one sign-in that may follow at once. */
const STREAMS_PER_SESSION = 8;

/** `GET /pos/events`: what happens, as Server-Sent Events. */
export function registerEventRoutes(
  app: App,
  {
    feed,
    findCashier,
  }: { feed: EventFeed; findCashier(tokenHash: string): Promise<Cashier | undefined> },
): void {
  const streams = new Map<string, number>();
  async function requireRoom(request: FastifyRequest): Promise<void> {
    if ((streams.get(cashierOf(request).tokenHash) ?? 0) < STREAMS_PER_SESSION) return;
    throw new Problem("RATE_LIMITED", "Too many windows of this sign-in are open.");
  }

  const onRequest = [requireStaff, requireEventReader, requireRoom];
  app.get("/events", { onRequest, sse: "only" }, async (request, reply) => {
    const { tokenHash } = cashierOf(request);
    streams.set(tokenHash, (streams.get(tokenHash) ?? 0) + 1);
    const away = new AbortController();
    reply.sse.onClose(() => {
      away.abort();
      const left = (streams.get(tokenHash) ?? 1) - 1;
      if (left > 0) streams.set(tokenHash, left);
      else streams.delete(tokenHash);
    });
    const follower = {
      lastEventId: reply.sse.lastEventId ?? undefined,
      signal: away.signal,
      findReader: () => findCashier(tokenHash),
    };
    await reply.sse.send(feed.follow(follower));
  });
}
