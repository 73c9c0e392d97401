import { type Static, Type } from "typebox";
import {
  CurrencyCode,
  CurrencyDivisor,
  Input,
  MinorAmount,
  PhoneNumber,
  TransactionId,
} from "../common.ts";
import { GLYPH_NAMES } from "../faces/glyphs.ts";
import { defineOperation, defineStream } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { Language } from "./setup.ts";

/** No 0, 1, I, L, O or U: it is read from one screen and typed at another. */
export const DISPLAY_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const DISPLAY_CODE_LENGTH = 8;

const MAX_TEXT = 256;
const Text = Type.String({ maxLength: MAX_TEXT });

/** The code of a display: made by the till, and known only to people who have seen its screen. */
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
    Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of a logo that the shop may show" }),
  ),
  title: Text,
  service: Type.Optional(Text),
  regions: Type.Optional(
    Type.Array(Text, { maxItems: 20, description: "Of an eSIM that is for no single country" }),
  ),
  recipient: Type.String({ maxLength: MAX_TEXT, description: "Grouped, as it is read out" }),
  country: Type.String({ pattern: "^([A-Z]{2})?$" }),
  price: MinorAmount,
  send: Type.Optional(MinorAmount),
  sendCurrency: Type.Optional(CurrencyCode),
  sendCurrencyDivisor: Type.Optional(CurrencyDivisor),
  outcome: Type.Optional(Outcome),
  qrContent: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, description: "What an eSIM is installed from" }),
  ),
  addedTo: Type.Optional(
    Type.String({ pattern: "^[0-9]{4}$", description: "Ends the eSIM a plan was added to" }),
  ),
});
export type DisplayLine = Static<typeof DisplayLine>;

/** A number that the customer is asked to confirm: the line it is of, which no other sale has. */
const NumberAsk = Input({
  transactionId: TransactionId,
  number: PhoneNumber,
  formatted: Type.String({ maxLength: MAX_TEXT, description: "Grouped, as it is read out" }),
  country: Type.String({ pattern: "^([A-Z]{2})?$" }),
  brandName: Text,
  brandColor: Text,
  glyph: Type.Optional(Type.Enum(GLYPH_NAMES)),
  logo: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
});
export type NumberAsk = Static<typeof NumberAsk>;

const Said = Type.Enum(["YES", "NO"] as const);
export type Said = Static<typeof Said>;

/** `POST /pos/displays/{code}/answers`: what the customer says of the number that is shown. */
export const NumberAnswerInput = Input({
  transactionId: TransactionId,
  number: PhoneNumber,
  said: Said,
});
export type NumberAnswerInput = Static<typeof NumberAnswerInput>;

/** `taken` is false where something else is asked by now; the same answer twice is taken once. */
const NumberAnswerTaken = Type.Object({ taken: Type.Boolean() });

/** `GET /pos/displays/{code}/answers/{transactionId}`: what was said so far. */
const NumberAnswerParams = Input({
  code: DisplayParams.properties.code,
  transactionId: TransactionId,
});
export const NumberAnswer = Type.Object({
  said: Type.Optional(Said),
  watching: Type.Integer({ description: "How many screens show it" }),
});
export type NumberAnswer = Static<typeof NumberAnswer>;

/**
 * `PUT /pos/displays/{code}`: what the customer is shown now. IDLE: the shop's name; BASKET: what
 * is being chosen; CONFIRM: what to check before it is paid; PAID: what becomes of it.
 */
export const DisplayView = Input({
  phase: Type.Enum(["IDLE", "BASKET", "CONFIRM", "PAID"]),
  shopName: Text,
  language: Language,
  training: Type.Boolean({ description: "Nothing shown has any value" }),
  currency: CurrencyCode,
  currencyDivisor: CurrencyDivisor,
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
      description: "Opens the receipt: shown alone",
    }),
  ),
  moneyBack: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Given back to the customer for what was not delivered",
    }),
  ),
});
export type DisplayView = Static<typeof DisplayView>;

const DisplayShown = Type.Object({
  watching: Type.Integer({ description: "How many screens show it" }),
});

/** The till says what the customer sees; any browser with its code shows it. */
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
  /** The customer's, from a screen that shows it. */
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
