import type { Base, Module } from "../module.ts";
import { registerEnvironmentCopyRoutes } from "./environment-copy-routes.ts";
import { EnvironmentCopyService } from "./environment-copy-service.ts";

type Deps = Base & ConstructorParameters<typeof EnvironmentCopyService>[0];

export function createEnvironmentCopyModule(deps: Deps) {
  const copies = new EnvironmentCopyService(deps);
  return {
    services: {},
    pos: (app) => registerEnvironmentCopyRoutes(app, copies),
  } satisfies Module;
}
