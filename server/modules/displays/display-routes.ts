import "@fastify/sse";
import type { FastifyRequest } from "fastify";
import { DisplayParams, DisplayShown, DisplayView } from "../../contract/pos/displays.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { placeOf } from "../../http/device-cookie.ts";
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
    (request) => {
      const { staffId, tokenHash } = cashierOf(request);
      const by = { staffId, session: tokenHash, device: placeOf(request).device };
      return { watching: displays.show(request.params.code, request.body, by) };
    },
  );

  async function requireBoard(request: FastifyRequest): Promise<void> {
    const { code } = request.params as { code: string };
    displays.admit(code, placeOf(request).source);
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
