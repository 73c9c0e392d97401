import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  type ReceiptLink,
  type ReceiptSending,
  receiptPageOperations,
} from "../../server/contract/pos/receipt-pages.ts";
import { call } from "../lib/api-client.ts";
import { useNow } from "../lib/gateway-clock.ts";
import { invalidateAnswers, operationQuery } from "../lib/operation-query.ts";
import { sendingFaultWords, sendingWords } from "../lib/sending-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { Trouble } from "./notice.tsx";
import classes from "./send-receipt.module.css";

const WHILE_OPEN_MS = 5_000;

export function SentReceipts({ saleId }: { readonly saleId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...operationQuery(receiptPageOperations.list, { params: { saleId } }),
    refetchInterval: WHILE_OPEN_MS,
  });
  if (!data || data.links.length + data.sendings.length === 0) {
    return null;
  }
  return (
    <section>
      <h3>{t("sale.send.soFar")}</h3>
      <ul className={classes.list}>
        {data.sendings.map((sending) => (
          <Sending key={sending.sendingId} sending={sending} />
        ))}
        {data.links.map((link) => (
          <Link key={link.linkId} link={link} saleId={saleId} />
        ))}
      </ul>
    </section>
  );
}

function Sending({ sending }: { readonly sending: ReceiptSending }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { to, fault, sentBy, createdAt } = sending;
  return (
    <li className={classes.item}>
      <p>
        {to === "" ? null : (
          <>
            <bdi dir="ltr">{to}</bdi>
            {" · "}
          </>
        )}
        <strong>{sendingWords(sending, t)}</strong>
      </p>
      <p>{t("sale.soldBy", { name: sentBy, time: format.moment(createdAt) })}</p>
      {fault === undefined ? null : (
        <p>
          <bdi>{sendingFaultWords(fault, t)}</bdi>
        </p>
      )}
    </li>
  );
}

function Link({ link, saleId }: { readonly link: ReceiptLink; readonly saleId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const queryClient = useQueryClient();
  const { linkId, madeBy, createdAt, expiresAt, revokedAt, views, detailsShown } = link;
  const isOver = now >= Date.parse(expiresAt);
  const withdraw = useMutation({
    mutationFn: () => call(receiptPageOperations.revoke, { params: { saleId, linkId } }),
    onSuccess: () => invalidateAnswers(queryClient, [receiptPageOperations.list]),
  });
  return (
    <li className={classes.item}>
      <p>{t("sale.soldBy", { name: madeBy, time: format.moment(createdAt) })}</p>
      <p>
        {t("sale.send.views", { count: views })}
        {detailsShown > 0 ? <> · {t("sale.send.details", { count: detailsShown })}</> : null}
      </p>
      {revokedAt || isOver ? (
        <p>{t(revokedAt ? "sale.send.withdrawn" : "sale.send.over")}</p>
      ) : (
        <>
          <p>{t("sale.send.until", { time: format.moment(expiresAt) })}</p>
          <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {t("sale.send.withdraw")}
          </Button>
        </>
      )}
      <Trouble error={withdraw.error} />
    </li>
  );
}
