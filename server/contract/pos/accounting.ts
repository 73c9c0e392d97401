import { type Static, type TOptional, Type } from "typebox";
import { Input, PLAIN_TEXT } from "../common.ts";
import { perFamily } from "./families.ts";
import { MOST_TENDERS } from "./shop-tenders.ts";
import { TaxKind, TaxRate } from "./taxes.ts";
import { TenderId } from "./tenders.ts";

/** The accounts of a shop's books that a day is posted to, beside one of sales for each family. */
export const ACCOUNT_ROLES = [
  "TAX",
  "CASH",
  "CARD",
  "OTHER",
  "OWED",
  "REFUNDS_DUE",
  "SAFE",
  "BANK",
  "PAY_IN",
  "PAY_OUT",
  "DRAWER_DIFFERENCE",
  "CASH_ROUNDING",
  "COST",
  "WALLET",
  "CLEARING",
] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** A number or a name, as the accountant's program knows it. Empty is not set. */
const Account = Type.String({
  maxLength: 100,
  ...PLAIN_TEXT,
  description: "an account's number or name, of at most 100 characters",
});

function datevNumber(most: number, description: string) {
  return Type.Integer({ minimum: 0, maximum: most, description });
}

/**
 * How days are posted in the books of the accountant (rules#figure-journal). `CLEARING` is the account
 * that every posting of DATEV is made against. `SAFE` without an account is the account of `CASH`.
 */
export const AccountingSettings = Input({
  sales: Input(perFamily(Account)),
  accounts: Input({
    TAX: Account,
    CASH: Account,
    CARD: Account,
    OTHER: Account,
    OWED: Account,
    REFUNDS_DUE: Type.Optional(Account),
    SAFE: Type.Optional(Account),
    BANK: Type.Optional(Account),
    PAY_IN: Type.Optional(Account),
    PAY_OUT: Type.Optional(Account),
    DRAWER_DIFFERENCE: Type.Optional(Account),
    CASH_ROUNDING: Account,
    COST: Account,
    WALLET: Account,
    CLEARING: Account,
  } satisfies Record<AccountRole, typeof Account | TOptional<typeof Account>>),
  tenders: Type.Optional(
    Type.Array(Input({ tenderId: TenderId, account: Account }), {
      maxItems: MOST_TENDERS,
      description: "Accounts of tenders that have one of their own; the others have their kind's",
    }),
  ),
  taxes: Type.Optional(
    Type.Array(Input({ kind: TaxKind, percent: TaxRate, account: Account }), {
      maxItems: 50,
      description: "Accounts of taxes by kind and rate; the others have that of TAX",
    }),
  ),
  xeroTaxRate: Type.String({
    maxLength: 100,
    ...PLAIN_TEXT,
    description: "the name of a tax rate as Xero has it",
  }),
  datev: Input({
    consultant: datevNumber(9_999_999, "the consultant's number, up to 9999999"),
    client: datevNumber(99_999, "the client's number, up to 99999"),
    yearBegins: Type.String({
      pattern: "^(0[1-9]|1[0-2])-01$",
      description: "the first day of the business year, such as 01-01",
    }),
    accountLength: Type.Integer({
      minimum: 4,
      maximum: 8,
      description: "how many digits accounts have, 4 to 8",
    }),
  }),
});
export type AccountingSettings = Static<typeof AccountingSettings>;
