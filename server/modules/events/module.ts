import type { Base, Module } from "../module.ts";
import { EventFeed } from "./event-feed.ts";
import { registerEventRoutes } from "./event-routes.ts";

type Deps = Base & Pick<ConstructorParameters<typeof EventFeed>[0], "findSessions">;

export function createEventsModule(deps: Deps) {
  const events = new EventFeed(deps);
  return {
    services: { events },
    pos(app) {
      registerEventRoutes(app, events);
      // A stream has no end of its own, and the application closes when every answer has ended.
      app.addHook("preClose", async () => events.stop());
    },
    stop: () => events.stop(),
  } satisfies Module;
}
