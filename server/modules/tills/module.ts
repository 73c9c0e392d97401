import type { Base, Module } from "../module.ts";
import { registerTillRoutes } from "./till-routes.ts";
import { TillService } from "./till-service.ts";

export function createTillsModule(deps: Base) {
  const tills = new TillService(deps);
  return {
    services: {},
    pos: (app) => registerTillRoutes(app, tills),
  } satisfies Module;
}
