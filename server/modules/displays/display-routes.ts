import "@fastify/sse";
import type { FastifyRequest } from "fastify";
import { DisplayParams, DisplayShown, DisplayView } from "../../contract/pos/displays.ts";
import { Problem } from "../../contract/problem.ts";
import { type App, answers } from "../../http/app-types.ts";
import { requireEventReader } from "../../http/event-reader.ts";
import { requireStaff } from "../../http/staff-guard.ts";
import type { DisplayBoard } from "./display-board.ts";

/** `/pos/displays`: the till says what the customer sees; any browser with its code shows it. */
export function registerDisplayRoutes(app: App, displays: DisplayBoard): void {
  app.put(
    "/displays/:code",
    {
      onRequest: requireStaff,
      schema: { params: DisplayParams, body: DisplayView, response: answers(DisplayShown) },
    },
    (request) => ({ watching: displays.show(request.params.code, request.body) }),
  );

  async function requireBoard({ params }: FastifyRequest): Promise<void> {
    const { code } = params as { code: string };
    if (displays.isFull(code)) {
      throw new Problem("RATE_LIMITED", "Too many screens show this till.");
    }
    if (displays.has(code)) return;
    if (displays.countWrongCode()) {
      throw new Problem("RATE_LIMITED", "Too many wrong codes. Try again in a minute.");
    }
    throw new Problem("NOT_FOUND", "No till shows anything under this code.");
  }

  app.get(
    "/displays/:code/events",
    {
      onRequest: requireEventReader,
      preHandler: requireBoard,
      schema: { params: DisplayParams },
      sse: "only",
    },
    async (request, reply) => {
      const away = new AbortController();
      reply.sse.onClose(() => away.abort());
      await reply.sse.send(toEvents(displays.watch(request.params.code, away.signal)));
    },
  );
}

async function* toEvents(views: AsyncGenerator<DisplayView>) {
  for await (const data of views) yield { event: "view", data };
}
