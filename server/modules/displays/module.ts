import type { Base, Module } from "../module.ts";
import type { SessionService } from "../staff/index.ts";
import { DisplayBoard } from "./display-board.ts";

type Deps = Base & { sessions: SessionService };

export function createDisplaysModule({ clock, sessions }: Deps) {
  const displays = new DisplayBoard(clock);
  sessions.onSignOut((tokenHash) => displays.endOf(tokenHash));
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
