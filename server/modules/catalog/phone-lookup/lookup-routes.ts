import type { FastifyRequest } from "fastify";
import { Problem } from "../../../contract/problem.ts";
import { PhoneLookup, PhoneLookupParams } from "../../../contract/v1/phone-lookup.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import type { PhoneService } from "./phone-service.ts";

interface LookupRoutesDeps {
  phones: PhoneService;
  settings: SettingsService;
}

export function registerLookupRoutes(app: App, { phones, settings }: LookupRoutesDeps): void {
  // Runs before the number's validation: a switched-off lookup refuses every number (rules#lookup-switch).
  async function requireLookup(request: FastifyRequest): Promise<void> {
    if (await settings.isLookupEnabled(clientOf(request).accountId)) return;
    throw new Problem("LOOKUP_NOT_ENABLED", "The phone lookup is switched off for this account.");
  }

  app.get(
    "/tools/phonenumberlookup/:msisdn",
    {
      preValidation: requireLookup,
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
