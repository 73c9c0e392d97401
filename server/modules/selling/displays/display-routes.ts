import { type DisplayView, displayOperations } from "../../../contract/pos/displays.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle, handleStream } from "../../../http/pos-operations.ts";
import { type DisplayBoard, getDisplayOwner } from "./display-board.ts";

export function registerDisplayRoutes(app: App, displays: DisplayBoard): void {
  handle(app, displayOperations.show, async ({ actor, params, body, request }) => {
    return { watching: await displays.show(params.code, body, getDisplayOwner(actor, request)) };
  });

  handle(app, displayOperations.answer, async ({ params, body, request }) => ({
    taken: await displays.answer(params.code, body, placeOf(request).source),
  }));

  handle(app, displayOperations.getAnswer, ({ actor, params, request }) =>
    displays.getAnswer(params.code, params.transactionId, getDisplayOwner(actor, request)),
  );

  handleStream(app, displayOperations.watch, {
    admit: ({ params, request }) => displays.admit(params.code, placeOf(request).source),
    handler: async ({ params, reply }) => {
      const away = new AbortController();
      reply.sse.onClose(() => away.abort());
      await reply.sse.send(toEvents(displays.watch(params.code, away.signal)));
    },
  });
}

async function* toEvents(views: AsyncGenerator<DisplayView>) {
  for await (const data of views) yield { event: "view", data };
}
