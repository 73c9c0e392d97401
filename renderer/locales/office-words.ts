import type { Language } from "../../server/contract/pos/setup.ts";
import frame from "./office/frame.json" with { type: "json" };
import wallet from "./office/wallet.json" with { type: "json" };

/** The words of the back office, a file for each section, with every language. */
const OFFICE_WORDS = { frame, wallet } satisfies Record<string, Record<Language, object>>;

export type OfficeWords = {
  readonly [Name in keyof typeof OFFICE_WORDS]: (typeof OFFICE_WORDS)[Name]["en"];
};

/** They are texts like the others, by the key `office`, from when the back office was opened on. */
export function officeWordsIn(language: Language): OfficeWords {
  return { frame: OFFICE_WORDS.frame[language], wallet: OFFICE_WORDS.wallet[language] };
}
