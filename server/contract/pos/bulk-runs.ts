import { type Static, Type } from "typebox";
import {
  ClientId,
  CurrencyCode,
  CurrencyDivisor,
  currencyUnit,
  Input,
  MinorAmount,
  Timestamp,
} from "../common.ts";
import { Family } from "./families.ts";
import { Name } from "./name.ts";
import { defineOperation } from "./operation.ts";
import { Outcome } from "./outcome.ts";
import { TenderId, TenderKind } from "./tenders.ts";

/** Maximum number of lines of a run, without the header and empty lines. */
export const MOST_BULK_LINES = 2_000;
export const LONGEST_BULK_TEXT = 400_000;

/**
 * `POST /pos/bulk-runs`: a table with a header, separated by commas, semicolons or tabs.
 * Columns: `offer`, or `brand` with `amount`; `recipient`; `value`; `note`; and `field.<name>`
 * for an offer's required fields. A repeat with the same id returns the same run. Nothing is
 * sold before the confirmation.
 */
export const BulkRunInput = Input({
  runId: ClientId,
  name: Name(120),
  text: Type.String({ minLength: 1, maxLength: LONGEST_BULK_TEXT }),
});
export type BulkRunInput = Static<typeof BulkRunInput>;

/**
 * CHECKED: the run waits for confirmation. RUNNING: the lines are being sold. STOPPED and DONE are
 * final (rules#bulk-states).
 */
const BULK_STATES = ["CHECKING", "CHECKED", "RUNNING", "PAUSED", "STOPPED", "DONE"] as const;
export const BulkState = Type.Enum(BULK_STATES);
export type BulkState = Static<typeof BulkState>;

/** Reasons of a pause. A WALLET_SHORT pause ends when the wallet can pay for the next line. */
const BULK_PAUSES = [
  "BY_HAND",
  "WALLET_SHORT",
  "PILOT_LIMIT",
  "PRICE_CHANGED",
  "SHIFT_REQUIRED",
  "ENVIRONMENT_CHANGED",
  "APPROVAL_REQUIRED",
  "SELLER_GONE",
] as const;
export const BulkPause = Type.Enum(BULK_PAUSES);
export type BulkPause = Static<typeof BulkPause>;

/**
 * UNCHECKED, then READY or FAULTY. In a confirmed run, a READY line becomes SOLD; REFUSED if it
 * could not be sold (nothing was charged); or LEFT if the run was stopped first.
 */
const BULK_LINE_STATES = ["UNCHECKED", "FAULTY", "READY", "SOLD", "REFUSED", "LEFT"] as const;
export const BulkLineState = Type.Enum(BULK_LINE_STATES);
export type BulkLineState = Static<typeof BulkLineState>;

/** Errors of a line. Each code has a text in every language. */
const BULK_FAULTS = [
  "CELLS",
  "OFFER_MISSING",
  "OFFER_NOT_FOUND",
  "OFFER_DISABLED",
  "OFFER_UNCLEAR",
  "BRAND_NOT_FOUND",
  "AMOUNT_BAD",
  "AMOUNT_NOT_SOLD",
  "NUMBER_MISSING",
  "NUMBER_ROUNDED",
  "NUMBER_BAD",
  "NUMBER_ELSEWHERE",
  "NUMBER_NOT_MOBILE",
  "RECIPIENT_NOT_TAKEN",
  "ICCID_BAD",
  "FIELD_MISSING",
  "VALUE_REQUIRED",
  "VALUE_NOT_ALLOWED",
  "VALUE_OUT_OF_RANGE",
  "VALUE_BAD",
  "NOTE_TOO_LONG",
  "NOT_SOLD",
] as const;
const BULK_WARNINGS = ["TWICE", "SOLD_RECENTLY", "SOLD_IN_RUN", "OTHER_CARRIER"] as const;

/** `field` is the column; `detail` is the cell's text, or a correct value. */
export const BulkFault = Type.Object({
  field: Type.String(),
  code: Type.Enum(BULK_FAULTS),
  detail: Type.String(),
});
export type BulkFault = Static<typeof BulkFault>;

/**
 * `detail` depends on the code: the number of the equal line (TWICE), the number of the earlier
 * sale, or the carrier's name.
 */
export const BulkWarning = Type.Object({ code: Type.Enum(BULK_WARNINGS), detail: Type.String() });
export type BulkWarning = Static<typeof BulkWarning>;

const shopUnit = { currency: CurrencyCode, currencyDivisor: CurrencyDivisor };
const Count = Type.Integer({ minimum: 0 });
const Share = Type.Object({ lines: Count, price: MinorAmount });

/** Prices are in the shop's currency, costs in the wallet's. */
export const BulkRun = Type.Object({
  runId: ClientId,
  name: Type.String(),
  state: BulkState,
  pause: Type.Optional(BulkPause),
  createdAt: Timestamp,
  confirmedAt: Type.Optional(Timestamp),
  endedAt: Type.Optional(Timestamp),
  staff: Type.Object({ staffId: Type.String(), name: Type.String() }),
  tender: Type.Optional(TenderKind),
  ...shopUnit,
  lines: Count,
  unchecked: Count,
  faulty: Count,
  warned: Type.Integer({ description: "Lines that can be sold but look like a mistake" }),
  ready: Type.Object({
    lines: Count,
    price: Type.Integer({ description: "At current prices, if they have changed" }),
    cost: MinorAmount,
  }),
  refused: Count,
  left: Count,
  sold: Share,
  delivered: Share,
  notDelivered: Share,
  sending: Share,
  wallet: Type.Object({
    ...currencyUnit,
    spendable: Type.Integer({ description: "Without sold lines that have no hold yet" }),
    shortBy: Type.Integer({ description: "Missing amount for the ready lines, or 0" }),
  }),
  repriced: Type.Optional(
    Type.Object(
      { lines: Count, before: MinorAmount, now: MinorAmount },
      {
        description: "Lines whose price differs from the confirmed one",
      },
    ),
  ),
  soldBefore: Type.Optional(
    Type.Object(
      { runId: ClientId, name: Type.String(), confirmedAt: Timestamp },
      {
        description: "The run that sold the same lines",
      },
    ),
  ),
});
export type BulkRun = Static<typeof BulkRun>;

/** `GET /pos/bulk-runs`, newest first. */
export const BulkRunList = Type.Object({
  list: Type.Array(
    Type.Object({
      runId: ClientId,
      name: Type.String(),
      state: BulkState,
      pause: Type.Optional(BulkPause),
      createdAt: Timestamp,
      lines: Count,
      staff: Type.String(),
    }),
  ),
});
export type BulkRunList = Static<typeof BulkRunList>;

const BulkRunParams = Input({ runId: ClientId });

const BULK_SHOWN = ["ALL", "FAULTS", "WARNINGS", "NOT_DELIVERED"] as const;
export const BulkLinesQuery = Input({
  show: Type.Enum(BULK_SHOWN),
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  offset: Type.Integer({ minimum: 0, maximum: MOST_BULK_LINES }),
});
export type BulkLinesQuery = Static<typeof BulkLinesQuery>;

export const BulkLine = Type.Object({
  line: Type.Integer({ description: "Line number in the file; the header is line 1" }),
  state: BulkLineState,
  productType: Type.Optional(Family),
  title: Type.String({ description: "Brand and amount; of a faulty line the text of its cells" }),
  recipientFormatted: Type.String(),
  note: Type.String(),
  price: Type.Optional(MinorAmount),
  priceNow: Type.Optional(MinorAmount),
  faults: Type.Array(BulkFault),
  warnings: Type.Array(BulkWarning),
  saleId: Type.Optional(Type.String()),
  transactionId: Type.Optional(Type.String()),
  outcome: Type.Optional(Outcome),
  refusal: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});
export type BulkLine = Static<typeof BulkLine>;

export const BulkLines = Type.Object({
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Count,
  list: Type.Array(BulkLine),
});
export type BulkLines = Static<typeof BulkLines>;

/**
 * `POST /pos/bulk-runs/{runId}/confirm`: requires the person's own PIN. `total` is the displayed
 * price of the ready lines. `onlyRight` sells the ready lines even if other lines are faulty.
 * `acceptWarnings` sells lines that look like mistakes. `sellAgain` sells lines that an earlier run
 * already sold.
 */
export const BulkConfirmInput = Input({
  tender: TenderKind,
  tenderId: Type.Optional(TenderId),
  reference: Type.Optional(Name(64)),
  total: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  onlyRight: Type.Optional(Type.Boolean()),
  acceptWarnings: Type.Optional(Type.Boolean()),
  sellAgain: Type.Optional(Type.Boolean()),
});
export type BulkConfirmInput = Static<typeof BulkConfirmInput>;

/** `total` is the displayed price of the remaining lines, at current prices. */
const BulkResumeInput = Input({
  total: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

/** `reveal` includes PINs and codes in the file, which requires the permission and is audited. */
const BulkResultsInput = Input({ reveal: Type.Boolean() });

/** `text` is CSV in UTF-8 with a byte order mark. */
export const BulkResults = Type.Object({ fileName: Type.String(), text: Type.String() });
export type BulkResults = Static<typeof BulkResults>;

/**
 * Maximum bytes of a table in UTF-8. Two bytes per character suffice, because a table consists
 * mostly of digits and unaccented letters.
 */
const TABLE_BYTES = 2 * LONGEST_BULK_TEXT + 4_096;

export const bulkOperations = {
  create: defineOperation({
    method: "POST",
    path: "/bulk-runs",
    body: BulkRunInput,
    answer: BulkRun,
    access: "owner",
    bodyLimitBytes: TABLE_BYTES,
    refusals: ["BULK_FILE_FAULT", "ID_TAKEN", "ENVIRONMENT_CHANGED"],
  }),
  list: defineOperation({
    method: "GET",
    path: "/bulk-runs",
    answer: BulkRunList,
    access: "owner",
  }),
  get: defineOperation({
    method: "GET",
    path: "/bulk-runs/:runId",
    params: BulkRunParams,
    answer: BulkRun,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  listLines: defineOperation({
    method: "GET",
    path: "/bulk-runs/:runId/lines",
    params: BulkRunParams,
    query: BulkLinesQuery,
    answer: BulkLines,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  confirm: defineOperation({
    method: "POST",
    path: "/bulk-runs/:runId/confirm",
    params: BulkRunParams,
    body: BulkConfirmInput,
    answer: BulkRun,
    access: "owner",
    asksPin: "always",
    refusals: [
      "NOT_FOUND",
      "BULK_RUN_CHANGED",
      "BULK_LINES_AT_FAULT",
      "BULK_SOLD_BEFORE",
      "PRICE_CHANGED",
      "WALLET_SHORT",
      "SHIFT_REQUIRED",
      "ENVIRONMENT_CHANGED",
      "TENDER_RETIRED",
    ],
  }),
  pause: defineOperation({
    method: "POST",
    path: "/bulk-runs/:runId/pause",
    params: BulkRunParams,
    answer: BulkRun,
    access: "owner",
    refusals: ["NOT_FOUND", "BULK_RUN_CHANGED"],
  }),
  resume: defineOperation({
    method: "POST",
    path: "/bulk-runs/:runId/resume",
    params: BulkRunParams,
    body: BulkResumeInput,
    answer: BulkRun,
    access: "owner",
    refusals: [
      "NOT_FOUND",
      "BULK_RUN_CHANGED",
      "PRICE_CHANGED",
      "SHIFT_REQUIRED",
      "ENVIRONMENT_CHANGED",
    ],
  }),
  /** Lines that have not started are not sold; sold lines remain sold. */
  stop: defineOperation({
    method: "POST",
    path: "/bulk-runs/:runId/stop",
    params: BulkRunParams,
    answer: BulkRun,
    access: "owner",
    refusals: ["NOT_FOUND", "BULK_RUN_CHANGED"],
  }),
  results: defineOperation({
    method: "POST",
    path: "/bulk-runs/:runId/results",
    params: BulkRunParams,
    body: BulkResultsInput,
    answer: BulkResults,
    access: "owner",
    rights: ["reveal"],
    refusals: ["NOT_FOUND"],
  }),
};
