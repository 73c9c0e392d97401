import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Shift, ZReport } from "../../../../server/contract/pos/shifts.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { forceCloseShift } from "../api/shift-queries.ts";
import { NO_CASH, readCash } from "../cash-count.ts";
import { CashField } from "./cash-field.tsx";
import classes from "./shift-form.module.css";

interface ForceCloseFormProps {
  readonly shift: Shift;
  readonly onClosed: (report: ZReport) => void;
}

/** Another person's drawer, closed by the owner with or without a count. */
export function ForceCloseForm({ shift, onClosed }: ForceCloseFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [draft, setDraft] = useState(NO_CASH);
  const { amount, count } = readCash(draft, shift.currencyDivisor);
  const close = useMutation({
    mutationFn: () =>
      forceCloseShift(shift.shiftId, {
        ...(amount !== undefined && { counted: amount }),
        ...(count && { count }),
      }),
    onSuccess: onClosed,
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!close.isPending) {
          close.mutate();
        }
      }}
    >
      <h2 className={classes.heading}>
        {t("shift.others.forceTitle", { name: shift.staff.name })}
      </h2>
      <p className={classes.hint}>{t("shift.others.forceHint")}</p>
      <CashField
        label={t("shift.close.counted")}
        draft={draft}
        currency={shift.currency}
        currencyDivisor={shift.currencyDivisor}
        onChange={setDraft}
      />
      {close.error ? <ErrorNotice words={errorWords(close.error, t, format)} /> : null}
      <button type="submit" className={classes.primary} disabled={close.isPending}>
        <span>
          {amount === undefined
            ? t("shift.others.forceUncounted")
            : t("shift.close.submit", {
                amount: format.money(amount, shift.currency, shift.currencyDivisor),
              })}
        </span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
