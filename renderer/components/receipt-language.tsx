import { IconReceipt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language } from "../../server/contract/pos/setup.ts";
import { LANGUAGE_NAMES } from "../lib/i18n.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { chooseReceiptLanguage, useReceiptLanguage } from "../lib/receipt-language.ts";
import { restFocus } from "../lib/rest-focus.ts";
import { useScreenCommand } from "../lib/screen-commands.ts";
import { KeyCap } from "./key-cap.tsx";
import classes from "./receipt-language.module.css";

/**
 * The language of a sale's receipt: the shop's, or the customer's from a list. Alt+L chooses the
 * next language.
 */
export function ReceiptLanguage({ saleId }: { readonly saleId: string }) {
  const { t } = useTranslation();
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
    <label className="inline-row gap-2 touch relative soft medium">
      <IconReceipt size="1.25rem" aria-hidden="true" />
      <span>{t("sale.receiptIn")}</span>
      <select
        className={classes.select}
        value={chosen}
        onChange={({ currentTarget }) => {
          chooseReceiptLanguage(saleId, currentTarget.value as Language);
          restFocus();
        }}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </option>
        ))}
      </select>
      <KeyCap>Alt L</KeyCap>
    </label>
  );
}

function after(language: Language): Language {
  return LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length] ?? language;
}
