import { type Static, Type } from "typebox";
import {
  ClientId,
  CountryCode,
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Environment,
  Input,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { Name } from "./name.ts";
import { defineOperation, NOTHING } from "./operation.ts";
import { WantedLine } from "./sale-lines.ts";

const Text = Type.String({ maxLength: 256 });
const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** An unsold line: the item, and the facts that the clerk saw. */
export const BasketLine = Input({
  input: WantedLine,
  shown: Input({
    brand: Text,
    brandName: Text,
    brandColor: Text,
    country: Text,
    title: Text,
    fieldLabels: Type.Optional(Type.Array(Text, { maxItems: 64 })),
    service: Type.Optional(Text),
    due: Type.Optional(Amount),
    area: Type.Optional(
      Input({
        regions: Type.Array(Text, { maxItems: 20 }),
        countries: Type.Array(CountryCode, { maxItems: 300 }),
      }),
    ),
    recipientFormatted: Text,
    price: Amount,
    priceFee: Type.Optional(Amount),
    discount: Type.Optional(Amount),
    priceCurrency: CurrencyCode,
    priceCurrencyDivisor: CurrencyDivisor,
    send: Type.Optional(Amount),
    sendCurrency: Type.Optional(CurrencyCode),
    sendCurrencyDivisor: Type.Optional(CurrencyDivisor),
  }),
});
export type BasketLine = Static<typeof BasketLine>;

/**
 * `POST /pos/held-sales`: stores a basket for later. A repeat changes nothing. The basket belongs
 * to the till's environment, or to `environment` if stated.
 */
export const HeldSaleInput = Input({
  heldSaleId: ClientId,
  label: Name(60),
  environment: Type.Optional(Environment),
  lines: Type.Array(BasketLine, { minItems: 1, maxItems: 20 }),
});
export type HeldSaleInput = Static<typeof HeldSaleInput>;

export const HeldSale = Type.Object({
  heldSaleId: Type.String(),
  label: Type.String(),
  heldAt: Timestamp,
  staff: Type.Object({ staffId: Type.String(), name: Type.String() }),
  ...currencyUnit,
  total: MinorAmount,
  lines: Type.Array(BasketLine),
});
export type HeldSale = Static<typeof HeldSale>;

/** `GET /pos/held-sales`: baskets of the till's environment, newest first. */
const HeldSales = Type.Object({ list: Type.Array(HeldSale) });
export type HeldSales = Static<typeof HeldSales>;

const HeldSaleParams = Input({ heldSaleId: ClientId });

/**
 * `POST /pos/held-sales/{heldSaleId}/resume`: returns the basket and removes it from the list. A
 * repeat with the same `resumeId` returns the same response; another `resumeId` gets NOT_FOUND.
 * `POST …/discard` deletes the basket.
 */
const ResumeInput = Input({ resumeId: ClientId });
export type ResumeInput = Static<typeof ResumeInput>;

export const heldSaleOperations = {
  hold: defineOperation({
    method: "POST",
    path: "/held-sales",
    body: HeldSaleInput,
    answer: HeldSale,
    access: "seller",
    refusals: ["ID_TAKEN"],
  }),
  list: defineOperation({
    method: "GET",
    path: "/held-sales",
    answer: HeldSales,
    access: "seller",
  }),
  resume: defineOperation({
    method: "POST",
    path: "/held-sales/:heldSaleId/resume",
    params: HeldSaleParams,
    body: ResumeInput,
    answer: HeldSale,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
  discard: defineOperation({
    method: "DELETE",
    path: "/held-sales/:heldSaleId",
    params: HeldSaleParams,
    answer: NOTHING,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
};
