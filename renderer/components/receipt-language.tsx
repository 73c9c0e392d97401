import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../server/contract/pos/setup.ts";
import { LANGUAGE_NAMES } from "../lib/i18n.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { chooseReceiptLanguage, useReceiptLanguage } from "../lib/receipt-language.ts";
import { letGo } from "../lib/rest-focus.ts";
import { useScreenCommand } from "../lib/screen-commands.ts";
import { KeyCap } from "./key-cap.tsx";
import classes from "./receipt-language.module.css";

/**
 * The language of one sale's receipt: the shop's, or the customer's with one touch. Alt+L goes to
 * the next one.
 */
export function ReceiptLanguage({ saleId }: { readonly saleId: string }) {
  const { t } = useTranslation();
  const id = useId();
  const { data: status } = useQuery(statusQuery());
  const chosen = useReceiptLanguage(saleId) ?? status?.language;
  useScreenCommand(
    "next-language",
    () => {
      if (chosen !== undefined) {
        chooseReceiptLanguage(saleId, after(chosen));
      }
    },
    { enabled: chosen !== undefined },
  );
  if (chosen === undefined) {
    return null;
  }
  return (
    <div className={classes.choice}>
      <p id={id} className={classes.label}>
        {t("sale.receiptIn")} <strong lang={chosen}>{LANGUAGE_NAMES[chosen]}</strong>{" "}
        <KeyCap>Alt+L</KeyCap>
      </p>
      <fieldset className={classes.languages} aria-labelledby={id} dir="ltr">
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            aria-pressed={language === chosen}
            className={classes.language}
            onClick={(event) => {
              letGo(event);
              chooseReceiptLanguage(saleId, language);
            }}
          >
            <span aria-hidden="true">{language.toUpperCase()}</span>
            <span className="spoken" lang={language}>
              {LANGUAGE_NAMES[language]}
            </span>
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** The language that Alt+L goes to. */
function after(language: Language): Language {
  return LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length] ?? language;
}
