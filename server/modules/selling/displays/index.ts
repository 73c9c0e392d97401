import type { Base, Module } from "../../module.ts";
import type { SessionService } from "../../shop/staff/index.ts";
import { DisplayBoard } from "./display-board.ts";

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
      const { registerDisplayRoutes } = await import("./display-routes.ts");
      registerDisplayRoutes(app, displays);
      // Ends the streams first, because closing waits for all responses.
      app.addHook("preClose", async () => displays.stop());
    },
  } satisfies Module;
}
