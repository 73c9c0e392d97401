import type { Base, Module } from "../../module.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import { registerLookupRoutes } from "./lookup-routes.ts";
import { PhoneService } from "./phone-service.ts";

export {
  canonicalNumber,
  formatPhoneNumber,
  type PhoneDescription,
  PhoneService,
} from "./phone-service.ts";

type PhoneLookupModuleDeps = Base & { settings: SettingsService };

export function createPhoneLookupModule({ config, settings }: PhoneLookupModuleDeps) {
  const phones = new PhoneService(config.resourcesDir, settings);
  return {
    services: { phones },
    v1: (app) => registerLookupRoutes(app, phones),
  } satisfies Module;
}
