import { type Static, Type } from "typebox";
import { CountryCode, CurrencyCode, CurrencyDivisor, Input, Region, Timestamp } from "../common.ts";
import { Iccid } from "../v1/esim-purchases.ts";
import { EsimPlan } from "../v1/esims.ts";

/** Where an eSIM of a region works. */
export const EsimArea = Type.Object({
  regions: Type.Array(Type.String(), { description: "As the catalog names them" }),
  countries: Type.Array(CountryCode, { description: "All of them" }),
});
export type EsimArea = Static<typeof EsimArea>;

const destination = {
  offers: Type.Integer({ description: "Plans that work there" }),
  fromPrice: Type.Integer({ description: "The lowest price of one, fees included" }),
};
const regional = {
  ...destination,
  countries: Type.Array(CountryCode, { description: "Where one of them works, by code" }),
};

/** `GET /pos/esim-destinations`: where the eSIMs that are sold work. */
export const EsimDestinations = Type.Object({
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  countries: Type.Array(
    Type.Object({
      country: Type.String(),
      ownOffers: Type.Integer({ description: "Plans for that country alone" }),
      ...destination,
    }),
    { description: "By code" },
  ),
  regions: Type.Array(Type.Object({ region: Region, ...regional }), {
    description: "Regional plans, by region",
  }),
  global: Type.Optional(Type.Object(regional)),
});
export type EsimDestinations = Static<typeof EsimDestinations>;

export const PosEsimParams = Input({ iccid: Iccid });

/** `GET /pos/esims/{iccid}`: an eSIM that was sold here, and what is left on it. */
export const PosEsim = Type.Object({
  iccid: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  offerId: Type.String({ description: "What it was sold as" }),
  title: Type.String(),
  country: Type.String(),
  soldAt: Timestamp,
  sale: Type.Optional(
    Type.Object({ saleId: Type.String(), saleNumber: Type.Integer(), clerk: Type.String() }),
  ),
  firstInstalledAt: Type.String({ description: "Empty until the eSIM is installed" }),
  plans: Type.Array(EsimPlan),
});
export type PosEsim = Static<typeof PosEsim>;
