import { type Static, Type } from "typebox";
import { CountryCode, CurrencyCode, CurrencyDivisor, Input, Region, Timestamp } from "../common.ts";
import { Iccid } from "../v1/esim-purchases.ts";
import { EsimPlan } from "../v1/esims.ts";

export const EsimArea = Type.Object({
  regions: Type.Array(Type.String(), { description: "Names of the catalog" }),
  countries: Type.Array(CountryCode, { description: "All countries" }),
});
export type EsimArea = Static<typeof EsimArea>;

const destination = {
  offers: Type.Integer({ description: "Number of plans for it" }),
  fromPrice: Type.Integer({ description: "Lowest price including fees" }),
};
const regional = {
  ...destination,
  countries: Type.Array(CountryCode, { description: "Countries with a plan, by code" }),
};

/** `GET /pos/esim-destinations`: coverage of the offered eSIMs. */
export const EsimDestinations = Type.Object({
  priceCurrency: CurrencyCode,
  priceCurrencyDivisor: CurrencyDivisor,
  countries: Type.Array(
    Type.Object({
      country: Type.String(),
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

/** `GET /pos/esims/{iccid}`: an eSIM that the shop sold, and its remaining data. */
export const PosEsim = Type.Object({
  iccid: Type.String(),
  brand: Type.String(),
  brandName: Type.String(),
  offerId: Type.String({ description: "Sold offer" }),
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
