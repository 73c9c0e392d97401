import { type Static, Type } from "typebox";
import { CountryCode, Input, LanguageCode } from "../common.ts";
import { Paged, paging } from "../paging.ts";

const BrandCode = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "Code of the brand",
  examples: ["ESKOM"],
});
const DeliveryType = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Type of delivery, as in the offer and the receipt",
  examples: ["TOKEN"],
});
export const BrandItem = Type.Object(
  { brand: Type.String(), brandName: Type.String() },
  { title: "BrandItem", description: "A brand" },
);
export const BrandPage = Paged(BrandItem);

/**
 * Brand detail. The gateway draws the pictures and uses no artwork of the brand
 * (rules#catalog-brands).
 */
export const BrandDetail = Type.Object(
  {
    brand: Type.String(),
    brandName: Type.String(),
    brandBigImage: Type.String(),
    brandColor: Type.String(),
    brandGiftImage: Type.String(),
    brandInfoPdf: Type.String(),
    brandLogo: Type.String(),
    brandLogoExtension: Type.String(),
    description: Type.String(),
    inputMasks: Type.Array(
      Type.Object(
        { requiredField: Type.String(), inputMask: Type.String() },
        { title: "InputMask", description: "Input mask of a required field" },
      ),
    ),
    redemptionInstructions: Type.Array(
      Type.Object(
        {
          country: Type.String(),
          deliveryType: Type.String(),
          language: Type.String(),
          link: Type.String(),
        },
        { title: "RedemptionLink", description: "Link to the instructions in a language" },
      ),
    ),
    requiredFieldsLabels: Type.Array(
      Type.Object(
        { label: Type.String(), requiredField: Type.String() },
        { title: "RequiredFieldLabel", description: "Label of a required field" },
      ),
    ),
  },
  { title: "BrandDetail", description: "Details of a brand" },
);
export type BrandDetail = Static<typeof BrandDetail>;

/** Redemption instruction info (rules#catalog-brands). */
export const RedemptionInstructions = Type.Object(
  {
    country: Type.String(),
    deliveryType: Type.String(),
    language: Type.String(),
    redemptionInstructions: Type.String(),
    terms: Type.String(),
    redemptionVideo: Type.String(),
  },
  { title: "RedemptionInstructions", description: "Redemption of a voucher of the brand" },
);
export type RedemptionInstructions = Static<typeof RedemptionInstructions>;

export const BrandQuery = Input({ ...paging, country: Type.Optional(CountryCode) });

export const BrandParams = Input({ brand: BrandCode });

export const RedemptionQuery = Input({
  country: CountryCode,
  deliveryType: DeliveryType,
  language: Type.Optional(LanguageCode),
});
export type RedemptionQuery = Static<typeof RedemptionQuery>;
