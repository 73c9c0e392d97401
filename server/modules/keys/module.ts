import type { Base, Module } from "../module.ts";
import { registerKeyRoutes } from "./key-routes.ts";
import { KeyService } from "./key-service.ts";

export function createKeysModule(deps: Base) {
  const keys = new KeyService(deps);
  return { services: { keys }, pos: (app) => registerKeyRoutes(app, keys) } satisfies Module;
}
