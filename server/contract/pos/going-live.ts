import { type Static, Type } from "typebox";
import { CurrencyCode, CurrencyDivisor, Input, MinorAmount, PhoneNumber } from "../common.ts";
import { ClientId } from "./client-id.ts";
import { PriceChange } from "./price-lists.ts";
import { Pin } from "./setup.ts";

/** What an owner looked at on the way to live, and says so. */
const OWNER_CONFIRMATIONS = [
  "TIME_ZONE_CONFIRMED",
  "SYNC_READ",
  "PRICES_SEEN",
  "RECEIPT_TESTED",
  "DRAWER_OPENED",
] as const;
const OwnerConfirmation = Type.Enum(OWNER_CONFIRMATIONS);
export type OwnerConfirmation = Static<typeof OwnerConfirmation>;

/** Everything that is noted of the way: what was confirmed, and what was tried out. */
export type GoingLiveNote = OwnerConfirmation | "BACKUP_RESTORED" | "FIRST_SALE";

/** `PUT /pos/till-environment/confirmations/:what` (owner) */
export const ConfirmationParams = Type.Object({ what: OwnerConfirmation });

/** The backup that is being made and restored into a file of its own, until the gateway ends. */
export const BackupTrial = Type.Object({
  state: Type.Enum(["RUNNING", "FAILED"]),
  failure: Type.Optional(Type.String({ description: "Why it FAILED" })),
});
export type BackupTrial = Static<typeof BackupTrial>;

/** `GET /pos/till-environment/price-changes` (owner): what the shop's list makes of suggested prices. */
export const LivePriceChanges = Type.Object({
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  offers: Type.Integer({ description: "Offers of live that can be sold" }),
  changed: Type.Integer({ description: "Those that have another price than the suggested one" }),
  largest: Type.Array(PriceChange, { description: "The ten furthest from the suggested price" }),
});
export type LivePriceChanges = Static<typeof LivePriceChanges>;

/** `POST /pos/till-environment/first-sale/offers` (owner): what could be sent to a number. */
export const FirstSaleOffersInput = Input({ recipientPhoneNumber: PhoneNumber });

const FirstSaleOffer = Type.Object({
  offerId: Type.String(),
  brandName: Type.String(),
  title: Type.String(),
  cost: MinorAmount,
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
  isOfCarrier: Type.Boolean({ description: "Its brand is that of the number, as far as known" }),
});
export type FirstSaleOffer = Static<typeof FirstSaleOffer>;

/** The cheapest of each brand, those of the number's carrier first, then the cheapest. */
export const FirstSaleOffers = Type.Object({ list: Type.Array(FirstSaleOffer) });

/** `POST /pos/till-environment/first-sale` (owner): the first live purchase; it is paid by the wallet. */
export const FirstSaleInput = Input({
  transactionId: ClientId,
  offerId: Type.String({ minLength: 1, maxLength: 128 }),
  recipientPhoneNumber: PhoneNumber,
  pin: Pin,
});
export type FirstSaleInput = Static<typeof FirstSaleInput>;
