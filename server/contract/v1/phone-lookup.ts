import { type Static, Type } from "typebox";
import { Input, PhoneNumber } from "../common.ts";

/** Phone lookup result. Unknown values are empty texts (rules#lookup-live). */
export const PhoneLookup = Type.Object(
  {
    msisdn: Type.String({ description: "The number in E.164 form", examples: ["+50231234567"] }),
    brand: Type.String({
      description: "Name of the carrier; for a virtual operator, of its underlying network",
      examples: ["Claro"],
    }),
    country: Type.String({
      description: "ISO 3166-1 alpha-2, empty for numbers of no country",
      examples: ["GT"],
    }),
    mobileCountryCode: Type.String({ description: "MCC of ITU-T E.212", examples: ["704"] }),
    mobileNetworkCode: Type.String({ description: "MNC of ITU-T E.212", examples: ["01"] }),
  },
  { title: "PhoneLookup", description: "Carrier and country of a phone number" },
);
export type PhoneLookup = Static<typeof PhoneLookup>;

export const PhoneLookupParams = Input({ msisdn: PhoneNumber });
