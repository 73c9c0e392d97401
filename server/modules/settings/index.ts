export { registerSettingsRoutes } from "./settings-routes.ts";
export { getSettings, type SettingsChange, SettingsService } from "./settings-service.ts";
