import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { OfficeTransactionDetails } from "../../../../server/contract/pos/transaction-office.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { readProviderAnswer } from "../api/sales-office-queries.ts";
import classes from "./sales-office.module.css";

interface RawAnswerProps {
  readonly transactionId: string;
  readonly kept: OfficeTransactionDetails["rawAnswer"];
}

/** The provider's answer that deviated, as it was sent, after the reader's own PIN. */
export function RawAnswer({ transactionId, kept }: RawAnswerProps) {
  const { t } = useTranslation();
  const format = useFormat();
  // An answer may hold a PIN: it is not cached.
  const read = useMutation({ mutationFn: () => readProviderAnswer(transactionId), gcTime: 0 });
  const answer = read.data;
  if (kept === undefined) return null;
  if (kept === "ERASED") {
    return <p className={classes.soft}>{t("office.sales.rawAnswer.ERASED")}</p>;
  }
  if (!answer) {
    return (
      <div className={classes.actions}>
        <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
          {t("office.sales.rawAnswer.show")}
        </Button>
        {read.error ? <ErrorNotice words={errorWords(read.error, t, format)} /> : null}
      </div>
    );
  }
  if (answer.state !== "KEPT") {
    return <Notice tone="wait">{t(`office.sales.rawAnswer.${answer.state}`)}</Notice>;
  }
  return (
    <div className={classes.actions}>
      <p className={classes.soft}>
        {t("office.sales.rawAnswer.title", { time: format.moment(answer.at) })}
      </p>
      <pre className={classes.answer} dir="ltr">
        {answer.text}
      </pre>
      {answer.masked ? <p className={classes.soft}>{t("office.sales.rawAnswer.masked")}</p> : null}
      <Button variant="default" onClick={() => read.reset()}>
        {t("office.sales.rawAnswer.hide")}
      </Button>
    </div>
  );
}
