import type { Base, Module } from "../../module.ts";
import { EventFeed } from "./event-feed.ts";

type EventsModuleDeps = Base & Pick<ConstructorParameters<typeof EventFeed>[0], "findSessions">;

export function createEventsModule(deps: EventsModuleDeps) {
  const events = new EventFeed(deps);
  return {
    services: { events },
    async pos(app) {
      const { registerEventRoutes } = await import("./event-routes.ts");
      registerEventRoutes(app, events);
      // Ends the streams first, because closing waits for all responses.
      app.addHook("preClose", async () => events.stop());
    },
    stop: () => events.stop(),
  } satisfies Module;
}
