import { Button, Switch } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  receiptPageOperations,
  type SentReceipt,
} from "../../../../server/contract/pos/receipt-pages.ts";
import classes from "../../../components/form-page.module.css";
import { Loading, MoreButton } from "../../../components/loading.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { sendingFaultWords, sendingWords } from "../../../lib/sending-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { sentReceiptsQuery } from "../api/settings-queries.ts";

export function SentReceiptList() {
  const { t } = useTranslation();
  const [isFailedOnly, setFailedOnly] = useState(false);
  const sent = useInfiniteQuery(sentReceiptsQuery(isFailedOnly ? "FAILED" : undefined));
  const rows = sent.data?.pages.flatMap(({ list }) => list) ?? [];
  return (
    <>
      <h3 className="strong">{t("office.settings.hooks.sent.title")}</h3>
      <Switch
        label={t("office.settings.hooks.sent.failedOnly")}
        checked={isFailedOnly}
        onChange={({ currentTarget }) => setFailedOnly(currentTarget.checked)}
      />
      <QueryTrouble query={sent} />
      {sent.isPending && !troubleOf(sent) ? <Loading heights={["4rem"]} /> : null}
      {sent.isSuccess && rows.length === 0 ? (
        <p>{t(`office.settings.hooks.sent.${isFailedOnly ? "noneFailed" : "none"}`)}</p>
      ) : null}
      <ul className={classes.rows} aria-label={t("office.settings.hooks.sent.title")}>
        {rows.map((receipt) => (
          <SentRow key={`${receipt.environment} ${receipt.sendingId}`} receipt={receipt} />
        ))}
      </ul>
      <MoreButton pages={sent}>{t("office.settings.hooks.sent.older")}</MoreButton>
    </>
  );
}

function SentRow({ receipt }: { readonly receipt: SentReceipt }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { saleNumber, environment, channel, to, state, fault, sentBy, createdAt } = receipt;
  const sale = t("sale.number", { number: saleNumber });
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <span className="strong">
          {sale}
          {to === "" ? null : (
            <>
              {" · "}
              <bdi dir="ltr">{to}</bdi>
            </>
          )}
        </span>
        <span className="soft size-caption">
          {sendingWords(receipt, t)} · {t(`office.settings.hooks.sent.way.${channel ?? "EMAIL"}`)} ·{" "}
          {t(`office.settings.env.${environment}`)} ·{" "}
          {t("sale.soldBy", { name: sentBy, time: format.moment(createdAt) })}
        </span>
        {fault === undefined ? null : (
          <bdi className="soft size-caption">{sendingFaultWords(fault, t)}</bdi>
        )}
        {state === "FAILED" && !receipt.canSendAgain ? (
          <span className="soft size-caption">{t("office.settings.hooks.sent.over")}</span>
        ) : null}
      </span>
      {receipt.canSendAgain ? <AgainButton receipt={receipt} /> : null}
    </li>
  );
}

function AgainButton({ receipt }: { readonly receipt: SentReceipt }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { sendingId, environment, saleNumber } = receipt;
  const again = useMutation({
    mutationFn: () =>
      call(receiptPageOperations.sendAgain, { params: { sendingId }, body: { environment } }),
    onSuccess: async () => {
      announce(t("sale.send.state.WAITING"));
      await invalidateAnswers(queryClient, [receiptPageOperations.listSent]);
    },
  });
  return (
    <>
      <Button
        variant="default"
        loading={again.isPending}
        aria-label={t("office.settings.hooks.sent.againFor", { number: saleNumber })}
        onClick={() => again.mutate()}
      >
        {t("office.settings.hooks.resend")}
      </Button>
      <Trouble error={again.error} />
    </>
  );
}
