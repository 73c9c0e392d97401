import type { Base, Module } from "../../module.ts";
import type { registerSupportRoutes } from "./support-routes.ts";

type SupportModuleDeps = Base & Parameters<typeof registerSupportRoutes>[1];

export function createSupportModule(deps: SupportModuleDeps) {
  return {
    services: {},
    pos: async (app) => (await import("./support-routes.ts")).registerSupportRoutes(app, deps),
  } satisfies Module;
}
