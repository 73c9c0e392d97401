import type { Base, Module } from "../module.ts";
import { registerSettingsRoutes } from "./settings-routes.ts";
import { SettingsService } from "./settings-service.ts";

export function createSettingsModule(deps: Base) {
  const settings = new SettingsService(deps);
  return {
    services: { settings },
    pos: (app) => registerSettingsRoutes(app, settings),
  } satisfies Module;
}
