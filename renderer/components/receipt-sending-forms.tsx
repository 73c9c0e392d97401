import { Button, TextInput } from "@mantine/core";
import { IconBrandWhatsapp, IconMail, IconMessage } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type MessageChannel,
  receiptPageOperations,
} from "../../server/contract/pos/receipt-pages.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { call } from "../lib/api-client.ts";
import { sendApproved, useApproval } from "../lib/approval-context.ts";
import { newId } from "../lib/new-id.ts";
import { invalidateAnswers } from "../lib/operation-query.ts";
import { useReceiptLanguage } from "../lib/receipt-language.ts";
import { Trouble } from "./notice.tsx";
import classes from "./send-receipt.module.css";

const ADDRESS = /^[^@\s,;<>"]{1,64}@[A-Za-z0-9.-]{1,189}$/;
const NUMBER = /^\+[1-9]\d{6,14}$/;

export function MailForm({ saleId }: { readonly saleId: string }) {
  const { t } = useTranslation();
  const [to, setTo] = useState("");
  const address = to.trim();
  const sending = useSending(saleId, () => setTo(""));
  return (
    <SendingForm sending={sending} to={address} isRight={ADDRESS.test(address)}>
      {(isWrong) => (
        <>
          <TextInput
            label={t("sale.send.email")}
            type="email"
            dir="ltr"
            autoComplete="off"
            maxLength={254}
            value={to}
            error={isWrong ? t("sale.send.emailWrong") : undefined}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={sending.isPending}
            leftSection={<IconMail size="1.25rem" aria-hidden="true" />}
          >
            {t("sale.send.emailSend")}
          </Button>
        </>
      )}
    </SendingForm>
  );
}

interface MessageFormProps {
  readonly sale: Sale;
  readonly receiver: string;
}

export function MessageForm({ sale: { saleId, lines }, receiver }: MessageFormProps) {
  const { t } = useTranslation();
  const recipient = bare(lines[0]?.recipientFormatted ?? "");
  const [to, setTo] = useState(NUMBER.test(recipient) ? recipient : "");
  const number = bare(to);
  const sending = useSending(saleId, () => setTo(""));
  return (
    <SendingForm sending={sending} to={number} isRight={NUMBER.test(number)}>
      {(isWrong) => (
        <>
          <TextInput
            label={t("sale.send.phone")}
            description={t("sale.send.handOver", { receiver })}
            type="tel"
            dir="ltr"
            autoComplete="off"
            maxLength={30}
            value={to}
            error={isWrong ? t("sale.send.phoneWrong") : undefined}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
          <Button
            type="submit"
            name="SMS"
            variant="default"
            loading={sending.isPending}
            leftSection={<IconMessage size="1.25rem" aria-hidden="true" />}
          >
            {t("sale.send.sms")}
          </Button>
          <Button
            type="submit"
            name="WHATSAPP"
            variant="default"
            loading={sending.isPending}
            leftSection={<IconBrandWhatsapp size="1.25rem" aria-hidden="true" />}
          >
            {t("sale.send.whatsapp")}
          </Button>
        </>
      )}
    </SendingForm>
  );
}

interface SendingFormProps {
  readonly sending: ReturnType<typeof useSending>;
  readonly to: string;
  readonly isRight: boolean;
  readonly children: (isWrong: boolean) => ReactNode;
}

/**
 * Sends the receipt by the channel of the pressed button, or by mail if the button has no channel.
 */
function SendingForm({ sending, to, isRight, children }: SendingFormProps) {
  const [isTried, setTried] = useState(false);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(!isRight);
        const { submitter } = event.nativeEvent;
        const channel = channelOf(submitter?.getAttribute("name"));
        if (isRight && !sending.isPending) {
          sending.mutate({ to, ...(channel && { channel }) });
        }
      }}
    >
      {children(isTried && !isRight)}
      <Trouble error={sending.error} />
    </form>
  );
}

function bare(number: string): string {
  return number.replaceAll(/[\s().-]/g, "");
}

function channelOf(name: string | null | undefined): MessageChannel | undefined {
  return name === "SMS" || name === "WHATSAPP" ? name : undefined;
}

/** Sends a receipt. Each new request has its own id, which a repeat after an error reuses. */
function useSending(saleId: string, onSent: () => void) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const language = useReceiptLanguage(saleId);
  const [sendingId, setSendingId] = useState(() => newId());
  return useMutation({
    mutationFn: (way: { readonly to: string; readonly channel?: MessageChannel }) =>
      sendApproved(approve, saleId, (approvalId) =>
        call(receiptPageOperations.send, {
          params: { saleId },
          body: {
            sendingId,
            ...way,
            ...(language && { language }),
            ...(approvalId && { approvalId }),
          },
        }),
      ),
    onSuccess: async () => {
      onSent();
      setSendingId(newId());
      await invalidateAnswers(queryClient, [receiptPageOperations.list]);
    },
  });
}
