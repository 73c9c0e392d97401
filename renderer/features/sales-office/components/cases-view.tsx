import { Button, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  LONGEST_NOTE,
  RECONCILIATION_OUTCOMES,
  type ReconciliationCase,
  type ReconciliationOutcome,
} from "../../../../server/contract/pos/reconciliation.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { errorWords } from "../../../lib/error-words.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { casesQuery, SALES_ANSWERS, settleCase } from "../api/sales-office-queries.ts";
import { Loaded } from "./loaded.tsx";
import classes from "./sales-office.module.css";

/** What failed here and may have happened at the provider, for a person to decide. */
export function CasesView({ session, search, onSearch }: OfficeSectionProps) {
  const { t } = useTranslation();
  const cases = useQuery(casesQuery(session.environment));
  const list = cases.data?.list ?? [];
  return (
    <>
      <p className={classes.soft}>{t("office.sales.case.intro")}</p>
      <Loaded query={cases} count={list.length} empty={t("office.sales.case.none")}>
        <ul className={classes.cases} aria-label={t("office.sales.view.cases")}>
          {list.map((one) => (
            <Case
              key={one.transactionId}
              one={one}
              onOpen={() =>
                onSearch({ ...search, id: one.refundedTransactionId ?? one.transactionId })
              }
            />
          ))}
        </ul>
      </Loaded>
    </>
  );
}

function Case({ one, onOpen }: { readonly one: ReconciliationCase; readonly onOpen: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sale } = one;
  const cost = format.money(one.cost, one.costCurrency, one.costCurrencyDivisor, "code");
  return (
    <li className={classes.part}>
      <div>
        <h2 className={classes.legend} dir="auto">
          {one.brandName} {format.contents(one.title)}
        </h2>
        <p>
          <bdi dir="ltr">{one.recipient}</bdi>
        </p>
        <p className={classes.soft}>
          {format.date(one.acceptedAt)} {format.time(one.acceptedAt)}
          {sale ? ` · ${t("sale.number", { number: sale.saleNumber })} · ${sale.clerk}` : null}
        </p>
        <p>{t("office.sales.case.cost", { amount: cost })}</p>
      </div>
      <blockquote className={classes.said}>
        <small>{t("office.sales.case.said")}</small>
        <span lang="en" dir="ltr">
          {one.lastWord}
        </span>
      </blockquote>
      <Decision one={one} cost={cost} />
      <Button variant="default" className={classes.back ?? ""} onClick={onOpen}>
        {t("office.sales.case.open")}
      </Button>
    </li>
  );
}

interface DecisionProps {
  readonly one: ReconciliationCase;
  readonly cost: string;
}

/** What the provider says, with the reason for it. Nothing is decided without one. */
function Decision({ one, cost }: DecisionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { environment, transactionId, kind } = one;
  const of = kind === "REFUND" ? "refund" : "purchase";
  const settle = useMutation({
    mutationFn: (outcome: ReconciliationOutcome) =>
      settleCase(transactionId, { environment, outcome, note: note.trim() }),
    onSuccess: () => announce(t("office.sales.case.settled")),
    onSettled: () => void invalidateAnswers(queryClient, SALES_ANSWERS),
  });
  return (
    <div className={classes.actions}>
      <Textarea
        label={t("office.sales.case.reason")}
        description={t("office.sales.case.reasonHint")}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        error={isMissing ? t("office.sales.case.reasonMissing") : undefined}
        onChange={({ currentTarget }) => {
          setMissing(false);
          setNote(currentTarget.value);
        }}
      />
      {RECONCILIATION_OUTCOMES.map((outcome) => (
        <div key={outcome} className={classes.decision}>
          <Button
            variant="default"
            loading={settle.isPending && settle.variables === outcome}
            onClick={() => {
              setMissing(note.trim() === "");
              if (note.trim() !== "" && !settle.isPending) {
                settle.mutate(outcome);
              }
            }}
          >
            {t(`office.sales.case.${of}.${outcome}`)}
          </Button>
          <small>{t(`office.sales.case.${of}.${outcome}-means`, { amount: cost })}</small>
        </div>
      ))}
      {settle.error ? <ErrorNotice words={errorWords(settle.error, t, format)} /> : null}
    </div>
  );
}
