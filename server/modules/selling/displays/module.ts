import type { Base, Module } from "../../module.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { DisplayBoard } from "./display-board.ts";

type DisplaysModuleDeps = Base & { sessions: SessionService };

export function createDisplaysModule({ memory, clock, log, sessions }: DisplaysModuleDeps) {
  const displays = new DisplayBoard({ memory, clock });
  sessions.onSignOut((tokenHash) =>
    displays.endOf(tokenHash).catch((error: unknown) => {
      log.warn({ err: error }, "what a till showed its customer could not be taken off at once");
    }),
  );
  return {
    services: { displays },
    async pos(app) {
      const { registerDisplayRoutes } = await import("./display-routes.ts");
      registerDisplayRoutes(app, displays);
      // A display's stream has no end of its own, and the application closes when every answer has
      // ended.
      app.addHook("preClose", async () => displays.stop());
    },
  } satisfies Module;
}
