import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Shift, UnfinishedLine, ZReport } from "../../../../server/contract/pos/shifts.ts";
import { sendApproved, useApproval } from "../../../components/approval/approval-context.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { closeShift, shiftKey } from "../api/shift-queries.ts";
import { NO_CASH, readCash } from "../cash-count.ts";
import { CashField } from "./cash-field.tsx";
import classes from "./shift-form.module.css";
import { UnfinishedList } from "./unfinished-list.tsx";

interface CloseFormProps {
  readonly shift: Shift;
  readonly unfinished: readonly UnfinishedLine[];
  readonly onClosed: (report: ZReport) => void;
}

/** The blind count: what is in the drawer is typed before anything says what should be. */
export function CloseForm({ shift, unfinished, onClosed }: CloseFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(NO_CASH);
  const { amount, count } = readCash(draft, shift.currencyDivisor);
  const close = useMutation({
    mutationFn: (leaveUnfinished: boolean) =>
      sendApproved(approve, shift.shiftId, (approvalId) =>
        closeShift(shift.shiftId, {
          counted: amount ?? 0,
          ...(count ? { count } : {}),
          ...(leaveUnfinished ? { leaveUnfinished } : {}),
          ...(approvalId === undefined ? {} : { approvalId }),
        }),
      ),
    onSuccess: onClosed,
    onError: () => queryClient.invalidateQueries({ queryKey: shiftKey }),
  });
  const isRefused = close.error instanceof ApiError && close.error.errorCode === "SHIFT_UNFINISHED";
  const isReady = amount !== undefined && !close.isPending;

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) {
          close.mutate(false);
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
      {close.error && !isRefused ? (
        <ErrorNotice words={errorWords(close.error, t, format)} />
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
      {isRefused && unfinished.length > 0 ? (
        <UnfinishedList lines={unfinished} disabled={!isReady} onLeave={() => close.mutate(true)} />
      ) : null}
    </form>
  );
}
