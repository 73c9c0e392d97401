import { Button } from "@mantine/core";
import { IconCopy, IconDeviceTv } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type ReceiptWays,
  receiptPageOperations,
} from "../../server/contract/pos/receipt-pages.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { announce } from "../lib/announcer.ts";
import { call } from "../lib/api-client.ts";
import { sendApproved, useApproval } from "../lib/approval-context.ts";
import { errorWords } from "../lib/error-words.ts";
import { newId } from "../lib/new-id.ts";
import { invalidateAnswers } from "../lib/operation-query.ts";
import { useReceiptLanguage } from "../lib/receipt-language.ts";
import { showReceiptOnDisplay, useReceiptOnDisplay } from "../lib/receipt-on-display.ts";
import { useFormat } from "../lib/use-format.ts";
import { ErrorNotice, Notice } from "./notice.tsx";
import { QrCode } from "./qr-code.tsx";
import { MailForm, MessageForm } from "./receipt-sending-forms.tsx";
import classes from "./send-receipt.module.css";
import { SentReceipts } from "./sent-receipts.tsx";

interface SendReceiptProps {
  readonly sale: Sale;
  readonly ways: ReceiptWays;
}

export function SendReceipt({ sale, ways }: SendReceiptProps) {
  const { t } = useTranslation();
  const hasPage = ways.enabled && ways.reach !== "NONE";
  return (
    <div className={classes.parts}>
      {hasPage && ways.warned ? <Notice tone="wait">{t("sale.send.warned")}</Notice> : null}
      {hasPage ? <PageLink sale={sale} isNear={ways.reach === "NETWORK"} /> : null}
      {hasPage ? null : <Notice tone="info">{t("sale.send.unreachable")}</Notice>}
      {hasPage && ways.receiver !== undefined && !sale.training ? (
        <MessageForm sale={sale} receiver={ways.receiver} />
      ) : null}
      {ways.mail ? (
        <MailForm saleId={sale.saleId} />
      ) : (
        <p className="text-center">{t("sale.send.noMail")}</p>
      )}
      <SentReceipts saleId={sale.saleId} />
    </div>
  );
}

function PageLink({ sale: { saleId }, isNear }: { readonly sale: Sale; readonly isNear: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const approve = useApproval();
  const queryClient = useQueryClient();
  const language = useReceiptLanguage(saleId);
  // A repeated request sends the same id, and gets the same link.
  const [linkId] = useState(() => newId());
  const make = useMutation({
    mutationFn: () =>
      sendApproved(approve, saleId, (approvalId) =>
        call(receiptPageOperations.make, {
          params: { saleId },
          body: { linkId, ...(language && { language }), ...(approvalId && { approvalId }) },
        }),
      ),
    onSuccess: () => invalidateAnswers(queryClient, [receiptPageOperations.list]),
  });
  const { mutate } = make;
  useEffect(() => mutate(), [mutate]);
  const url = make.data?.url;
  if (make.error) {
    return <ErrorNotice words={errorWords(make.error, t, format)} />;
  }
  // Reserves the code's space until the link exists, so that nothing below it moves.
  return (
    <>
      {url ? (
        <QrCode content={url} label={t("sale.send.qr")} className={classes.qr} />
      ) : (
        <div
          className={classes.qr}
          role="status"
          aria-busy="true"
          aria-label={t("common.loading")}
        />
      )}
      <p className="text-center">{t("sale.send.scan")}</p>
      {isNear ? <p className="text-center">{t("sale.send.network")}</p> : null}
      <LinkButtons url={url} />
    </>
  );
}

function LinkButtons({ url }: { readonly url: string | undefined }) {
  const { t } = useTranslation();
  const { hasDisplay, link } = useReceiptOnDisplay();
  const [isCopied, setCopied] = useState(false);
  // Hides the receipt from the next customer.
  useEffect(() => () => showReceiptOnDisplay(undefined), []);

  async function copy(text: string) {
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (isDone) {
      setCopied(true);
      announce(t("sale.send.copied"));
    }
  }

  const isShown = url !== undefined && link === url;
  return (
    <>
      {hasDisplay ? (
        <Button
          variant="default"
          disabled={url === undefined}
          leftSection={<IconDeviceTv size="1.25rem" aria-hidden="true" />}
          aria-pressed={isShown}
          onClick={() => showReceiptOnDisplay(isShown ? undefined : url)}
        >
          {t(isShown ? "sale.send.hide" : "sale.send.show")}
        </Button>
      ) : null}
      <Button
        variant="default"
        disabled={url === undefined}
        leftSection={<IconCopy size="1.25rem" aria-hidden="true" />}
        onClick={() => {
          if (url !== undefined) void copy(url);
        }}
      >
        {t(isCopied ? "sale.send.copied" : "sale.send.copy")}
      </Button>
    </>
  );
}
