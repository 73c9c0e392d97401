import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Input,
  MinorAmount,
  PhoneNumber,
  TransactionId,
} from "../common.ts";
import { GLYPH_NAMES } from "../faces/glyphs.ts";
import { defineOperation, defineStream } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { Language } from "./setup.ts";

/**
 * Characters of a display code. 0, 1, I, L, O and U are absent, because people read the code on one
 * screen and type it on another.
 */
export const DISPLAY_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const DISPLAY_CODE_LENGTH = 8;

const MAX_TEXT = 256;
const Text = Type.String({ maxLength: MAX_TEXT });

/** Code of a display. The till generates the code and shows it only on its own screen. */
const DisplayParams = Input({
  code: Type.String({
    pattern: `^[${DISPLAY_CODE_LETTERS}]{${DISPLAY_CODE_LENGTH}}$`,
    description: "eight letters and digits, as the till shows them",
  }),
});

const DisplayLine = Input({
  brandName: Text,
  brandColor: Text,
  glyph: Type.Optional(Type.Enum(GLYPH_NAMES)),
  logo: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Digest of a logo that the shop may show",
    }),
  ),
  title: Text,
  service: Type.Optional(Text),
  regions: Type.Optional(
    Type.Array(Text, { maxItems: 20, description: "Regions of an eSIM without a single country" }),
  ),
  recipient: Type.String({ maxLength: MAX_TEXT, description: "Formatted in groups" }),
  country: Type.String({ pattern: "^([A-Z]{2})?$" }),
  price: MinorAmount,
  send: Type.Optional(MinorAmount),
  sendCurrency: Type.Optional(CurrencyCode),
  sendCurrencyDivisor: Type.Optional(CurrencyDivisor),
  outcome: Type.Optional(Outcome),
  qrContent: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, description: "Installation data of an eSIM" }),
  ),
  smdpAddress: Type.Optional(
    Type.String({
      maxLength: MAX_TEXT,
      description: "Address of an eSIM that is installed by hand",
    }),
  ),
  activationCode: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, description: "Code of an eSIM that is installed by hand" }),
  ),
  addedTo: Type.Optional(
    Type.String({ pattern: "^[0-9]{4}$", description: "Last digits of the eSIM that gets a plan" }),
  ),
});
export type DisplayLine = Static<typeof DisplayLine>;

/** A phone number that the customer must confirm, and the transaction of its line. */
const NumberAsk = Input({
  transactionId: TransactionId,
  number: PhoneNumber,
  formatted: Type.String({ maxLength: MAX_TEXT, description: "Formatted in groups" }),
  country: Type.String({ pattern: "^([A-Z]{2})?$" }),
  brandName: Text,
  brandColor: Text,
  glyph: Type.Optional(Type.Enum(GLYPH_NAMES)),
  logo: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
});
export type NumberAsk = Static<typeof NumberAsk>;

const Said = Type.Enum(["YES", "NO"] as const);
export type Said = Static<typeof Said>;

/** `POST /pos/displays/{code}/answers`: the customer's answer about the displayed number. */
export const NumberAnswerInput = Input({
  transactionId: TransactionId,
  number: PhoneNumber,
  said: Said,
});
export type NumberAnswerInput = Static<typeof NumberAnswerInput>;

/** `taken` is false if the display now shows another question. A repeat changes nothing. */
const NumberAnswerTaken = Type.Object({ taken: Type.Boolean() });

/** `GET /pos/displays/{code}/answers/{transactionId}`: the customer's answer, if given. */
const NumberAnswerParams = Input({
  code: DisplayParams.properties.code,
  transactionId: TransactionId,
});
export const NumberAnswer = Type.Object({
  said: Type.Optional(Said),
  watching: Type.Integer({ description: "Number of connected screens" }),
});
export type NumberAnswer = Static<typeof NumberAnswer>;

/**
 * `PUT /pos/displays/{code}`: the customer's current view. IDLE: the shop's name. BASKET: the
 * chosen items. CONFIRM: the items to check before payment. PAID: the outcomes of the items.
 */
export const DisplayView = Input({
  phase: Type.Enum(["IDLE", "BASKET", "CONFIRM", "PAID"]),
  shopName: Text,
  language: Language,
  training: Type.Boolean({ description: "Training: the displayed items have no value" }),
  test: Type.Optional(Type.Boolean({ description: "True in test mode without training" })),
  ...currencyUnit,
  lines: Type.Array(DisplayLine, { maxItems: 20 }),
  total: MinorAmount,
  ask: Type.Optional(NumberAsk),
  cashRounding: Type.Optional(Type.Integer({ minimum: -100_000, maximum: 100_000 })),
  tendered: Type.Optional(MinorAmount),
  change: Type.Optional(MinorAmount),
  receiptLink: Type.Optional(
    Type.String({
      pattern: "^https?://",
      maxLength: 512,
      description: "Link to the receipt, shown alone",
    }),
  ),
  moneyBack: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Refunded to the customer for undelivered lines",
    }),
  ),
});
export type DisplayView = Static<typeof DisplayView>;

const DisplayShown = Type.Object({
  watching: Type.Integer({ description: "Number of connected screens" }),
});

export const displayOperations = {
  show: defineOperation({
    method: "PUT",
    path: "/displays/:code",
    params: DisplayParams,
    body: DisplayView,
    answer: DisplayShown,
    access: "seller",
    refusals: ["FORBIDDEN", "RATE_LIMITED"],
  }),
  answer: defineOperation({
    method: "POST",
    path: "/displays/:code/answers",
    params: DisplayParams,
    body: NumberAnswerInput,
    answer: NumberAnswerTaken,
    access: "display-code",
    refusals: ["NOT_FOUND", "RATE_LIMITED"],
  }),
  getAnswer: defineOperation({
    method: "GET",
    path: "/displays/:code/answers/:transactionId",
    params: NumberAnswerParams,
    answer: NumberAnswer,
    access: "seller",
    refusals: ["FORBIDDEN"],
  }),
  watch: defineStream({
    method: "GET",
    path: "/displays/:code/events",
    params: DisplayParams,
    events: { view: DisplayView },
    access: "display-code",
    refusals: ["NOT_FOUND", "RATE_LIMITED"],
  }),
};
