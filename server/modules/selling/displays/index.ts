import type { DisplayView } from "../../../contract/pos/displays.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import { handle, handleStream } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { DisplayBoard, getDisplayOwner } from "./display-board.ts";

export { type DisplayBoard, getDisplayOwner } from "./display-board.ts";

type DisplaysModuleDeps = Base & { sessions: SessionService };

export function createDisplaysModule({ memory, clock, log, sessions }: DisplaysModuleDeps) {
  const displays = new DisplayBoard({ memory, clock });
  sessions.onSignOut((tokenHash) =>
    displays.endOf(tokenHash).catch((error: unknown) => {
      log.warn({ err: error }, "could not blank the customer display of an ended session");
    }),
  );
  return {
    services: { displays },
    async pos(app) {
      await registerDisplayRoutes(app, displays);
      // Ends the streams first, because closing waits for all responses.
      app.addHook("preClose", async () => displays.stop());
    },
  } satisfies Module;
}

async function registerDisplayRoutes(app: App, displays: DisplayBoard): Promise<void> {
  const { displayOperations } = await import("../../../contract/pos/displays.ts");
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
