import type { Base, Module } from "../../module.ts";
import { TillService } from "./till-service.ts";

export { readTill, type SoldFrom, tillNames } from "./till-service.ts";

export function createTillsModule(deps: Base) {
  const tills = new TillService(deps);
  return {
    services: {},
    pos: async (app) => (await import("./till-routes.ts")).registerTillRoutes(app, tills),
  } satisfies Module;
}
