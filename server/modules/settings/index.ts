export { createSettingsModule } from "./module.ts";
export { getSettings, type SettingsChange, SettingsService } from "./settings-service.ts";
