import { PhoneLookup, PhoneLookupParams } from "../../../contract/v1/phone-lookup.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { PhoneService } from "./phone-service.ts";

/** Registers `/tools` (rules#lookup-live). */
export function registerLookupRoutes(app: App, phones: PhoneService): void {
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
