import type { Base, Module } from "../../module.ts";
import { KeyService } from "./key-service.ts";

export function createKeysModule(deps: Base) {
  const keys = new KeyService(deps);
  return {
    services: { keys },
    pos: async (app) => (await import("./key-routes.ts")).registerKeyRoutes(app, keys),
  } satisfies Module;
}
