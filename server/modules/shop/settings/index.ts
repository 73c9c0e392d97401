export { createSettingsModule } from "./module.ts";
export {
  getSettings,
  readDayClock,
  type SettingsChange,
  SettingsService,
} from "./settings-service.ts";
