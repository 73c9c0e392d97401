import { PhoneLookup, PhoneLookupParams } from "../../../contract/v1/phone-lookup.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { Base, Module } from "../../module.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
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

/** Registers `/tools` (rules#lookup-live). */
function registerLookupRoutes(app: App, phones: PhoneService): void {
  app.get(
    "/tools/phonenumberlookup/:msisdn",
    {
      // The switch is checked before the number (rules#lookup-switch).
      preValidation: (request) => phones.requireLookup(clientOf(request).accountId),
      schema: {
        operationId: "lookUpPhoneNumber",
        summary: "Look a phone number up",
        description:
          "The carrier is the one that the number's range was first given to; a number that was " +
          "ported since may be with another.",
        tags: ["Tools"],
        params: PhoneLookupParams,
        response: answers(PhoneLookup, ["LOOKUP_NOT_ENABLED", "PHONE_NUMBER_NOT_FOUND"]),
      },
    },
    async (request) => phones.lookUp(request.params.msisdn, clientOf(request).environment),
  );
}
