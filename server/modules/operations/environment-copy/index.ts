import type { Base, Module } from "../../module.ts";
import { EnvironmentCopyService } from "./environment-copy-service.ts";

type EnvironmentCopyModuleDeps = Base & ConstructorParameters<typeof EnvironmentCopyService>[0];

export function createEnvironmentCopyModule(deps: EnvironmentCopyModuleDeps) {
  const copies = new EnvironmentCopyService(deps);
  return {
    services: {},
    pos: async (app) =>
      (await import("./environment-copy-routes.ts")).registerEnvironmentCopyRoutes(app, copies),
  } satisfies Module;
}
