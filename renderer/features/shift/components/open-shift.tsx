import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../components/key-cap.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import type { MoneyUnit } from "../../../lib/money.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useHasUnsentSale } from "../../../lib/unsent-sale-context.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { currentShiftQuery, openShift, SHIFT_ANSWERS } from "../api/shift-queries.ts";
import { NO_CASH, readCash } from "../cash-count.ts";
import { CashField } from "./cash-field.tsx";
import classes from "./shift-form.module.css";

/** From this amount, in major units, a float has as many digits as a phone number. */
const UNLIKELY_UNITS = 10_000_000;
/** Currencies with large everyday amounts. Their limit is ten times higher. */
const SMALL_UNITS: ReadonlySet<string> = new Set(
  "GNF IDR IRR LAK LBP MGA PYG SYP UZS VND".split(" "),
);

function unlikelyUnits(currency: string): number {
  return SMALL_UNITS.has(currency) ? UNLIKELY_UNITS * 10 : UNLIKELY_UNITS;
}

/** Shown instead of the counter while no shift is open. */
export function OpenShift({ currency, currencyDivisor }: MoneyUnit) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const hasUnsent = useHasUnsentSale();
  const [draft, setDraft] = useState(NO_CASH);
  // A repeat after a lost response sends the same id and opens the same shift.
  const [shiftId, setShiftId] = useState(newId);
  const cash = readCash(draft, currencyDivisor);
  const float = cash.amount ?? 0;
  // An empty input means an empty drawer.
  const isTyped = draft.byNotes || draft.total === "" || cash.amount !== undefined;
  // With a phone number as the float, every later report would be wrong.
  const isUnlikely = !draft.byNotes && float >= unlikelyUnits(currency) * currencyDivisor;
  const [askedAbout, setAskedAbout] = useState<number>();
  const isAsked = isUnlikely && askedAbout === float;
  const amount = format.money(float, currency, currencyDivisor);
  const open = useMutation({
    mutationFn: () => openShift({ shiftId, float, ...(cash.count && { count: cash.count }) }),
    onSuccess: (shift) => queryClient.setQueryData(currentShiftQuery().queryKey, { shift }),
    onSettled: () => invalidateAnswers(queryClient, SHIFT_ANSWERS),
  });

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isUnlikely) {
          setAskedAbout(float);
        } else if (!open.isPending && isTyped) {
          open.mutate();
        }
      }}
    >
      <h1 className="size-heading leading-115">{t("shift.open.title")}</h1>
      <p className="soft">{t("shift.open.hint")}</p>
      {hasUnsent ? <Notice tone="wait">{t("shift.open.unsent")}</Notice> : null}
      <CashField
        label={t("shift.open.float")}
        draft={draft}
        currency={currency}
        currencyDivisor={currencyDivisor}
        onChange={(changed) => {
          setShiftId(newId());
          setDraft(changed);
        }}
      />
      {isAsked ? (
        <>
          <Notice tone="wait" loud>
            <strong>{t("shift.open.unlikely")}</strong> {t("shift.open.unlikelyNext")}
          </Notice>
          <Button variant="default" disabled={open.isPending} onClick={() => open.mutate()}>
            {t("shift.close.surely", { amount })}
          </Button>
        </>
      ) : null}
      <Trouble error={open.error} />
      <button
        type="submit"
        className={classes.primary}
        disabled={open.isPending || !isTyped || isAsked}
      >
        <span>{t("shift.open.submit", { amount })}</span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
