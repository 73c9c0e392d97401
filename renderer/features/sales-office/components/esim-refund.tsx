import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { refundEsim, SALES_ANSWERS } from "../api/sales-office-queries.ts";
import classes from "./sales-office.module.css";

/** Asks the provider for the cost of an eSIM back, after a second press. */
export function EsimRefund({ transactionId }: { readonly transactionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isSure, setSure] = useState(false);
  const refund = useMutation({
    mutationFn: () => refundEsim(transactionId),
    onSettled: () => void invalidateAnswers(queryClient, SALES_ANSWERS),
  });
  const isRefused =
    refund.error instanceof ApiError && refund.error.errorCode === "REFUND_NOT_ALLOWED";
  return (
    <div className={classes.actions}>
      <Button
        variant={isSure ? "filled" : "default"}
        loading={refund.isPending}
        onClick={() => (isSure ? refund.mutate() : setSure(true))}
      >
        {t(isSure ? "office.sales.esim.sure" : "office.sales.esim.ask")}
      </Button>
      {isSure ? <p className={classes.soft}>{t("office.sales.esim.hint")}</p> : null}
      {isRefused ? (
        <Notice tone="bad" loud>
          {t("office.sales.esim.refused")}
        </Notice>
      ) : null}
      {refund.error && !isRefused ? (
        <ErrorNotice words={errorWords(refund.error, t, format)} />
      ) : null}
    </div>
  );
}
