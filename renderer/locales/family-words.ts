import type { Family } from "../../server/contract/pos/families.ts";
import type { Language } from "../../server/contract/pos/setup.ts";
import bill from "./families/bill.json" with { type: "json" };
import esim from "./families/esim.json" with { type: "json" };
import topup from "./families/topup.json" with { type: "json" };
import voucher from "./families/voucher.json" with { type: "json" };

/** The words of each family, in a file of its own with every language. */
const FAMILY_WORDS = {
  TOPUP: topup,
  VOUCHER: voucher,
  ESIM: esim,
  BILL_PAY: bill,
} satisfies Record<Family, Record<Language, object>>;

export type FamilyWords = {
  readonly [Name in Family]: (typeof FAMILY_WORDS)[Name][Language];
};

/** They are texts like the others, by the key `family`. */
export function familyWordsIn(language: Language): FamilyWords {
  const { TOPUP, VOUCHER, ESIM, BILL_PAY } = FAMILY_WORDS;
  return {
    TOPUP: TOPUP[language],
    VOUCHER: VOUCHER[language],
    ESIM: ESIM[language],
    BILL_PAY: BILL_PAY[language],
  };
}
