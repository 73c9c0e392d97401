import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Shift } from "../../../../server/contract/pos/shifts.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import type { Closing } from "../use-closing.ts";
import { CashField } from "./cash-field.tsx";
import classes from "./shift-form.module.css";

interface CloseFormProps {
  readonly shift: Shift;
  readonly closing: Closing;
}

/** The blind count: what is in the drawer is typed before anything says what should be. */
export function CloseForm({ shift, closing }: CloseFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { draft, setDraft, amount, isReady, error, close, closeSurely } = closing;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) {
          close(false);
        }
      }}
    >
      <h2 className={classes.heading}>{t("shift.close.title")}</h2>
      <p className={classes.hint}>{t("shift.close.hint")}</p>
      <CashField
        label={t("shift.close.counted")}
        draft={draft}
        currency={shift.currency}
        currencyDivisor={shift.currencyDivisor}
        onChange={setDraft}
      />
      {error ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
      {closeSurely && amount !== undefined ? (
        <Button variant="default" onClick={closeSurely}>
          {t("shift.close.surely", {
            amount: format.money(amount, shift.currency, shift.currencyDivisor),
          })}
        </Button>
      ) : null}
      <button type="submit" className={classes.primary} disabled={!isReady}>
        <span>
          {amount === undefined
            ? t("shift.do.close")
            : t("shift.close.submit", {
                amount: format.money(amount, shift.currency, shift.currencyDivisor),
              })}
        </span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
