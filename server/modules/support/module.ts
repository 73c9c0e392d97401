import type { Base, Module } from "../module.ts";
import { registerSupportRoutes } from "./support-routes.ts";

type Deps = Base & Parameters<typeof registerSupportRoutes>[1];

export function createSupportModule(deps: Deps) {
  return { services: {}, pos: (app) => registerSupportRoutes(app, deps) } satisfies Module;
}
