import { type Static, Type } from "typebox";
import { Input, PhoneNumber } from "../common.ts";

/** Phone lookup result. What is not known is an empty text (rules#lookup-live). */
export const PhoneLookup = Type.Object(
  {
    msisdn: Type.String({ description: "The number in E.164 form", examples: ["+50231234567"] }),
    brand: Type.String({
      description: "The carrier's name; of a virtual operator, that of the network it is on",
      examples: ["Claro"],
    }),
    country: Type.String({
      description: "ISO 3166-1 alpha-2, empty for numbers of no country",
      examples: ["GT"],
    }),
    mobileCountryCode: Type.String({ description: "MCC of ITU-T E.212", examples: ["704"] }),
    mobileNetworkCode: Type.String({ description: "MNC of ITU-T E.212", examples: ["01"] }),
  },
  { title: "PhoneLookup", description: "What is known of a phone number" },
);
export type PhoneLookup = Static<typeof PhoneLookup>;

/** `GET /tools/phonenumberlookup/{msisdn}`. */
export const PhoneLookupParams = Input({ msisdn: PhoneNumber });
