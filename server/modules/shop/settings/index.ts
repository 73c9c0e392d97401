import type { Base, Module } from "../../module.ts";
import { SettingsService } from "./settings-service.ts";

export {
  getSettings,
  readDayClock,
  type SettingsChange,
  SettingsService,
} from "./settings-service.ts";

export function createSettingsModule(deps: Base) {
  const settings = new SettingsService(deps);
  return {
    services: { settings },
    pos: async (app) =>
      (await import("./settings-routes.ts")).registerSettingsRoutes(app, settings),
  } satisfies Module;
}
