import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import { type Sale, saleOperations } from "../../../../../server/contract/pos/sales.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { call } from "../../../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../../../lib/approval-context.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { newId } from "../../../../lib/new-id.ts";
import { groupTyped, numberProblem, typedNumber } from "../../../../lib/phone-format.ts";
import { putSale, saleQuery } from "../../../../lib/pos-queries.ts";
import { restFocus } from "../../../../lib/rest-focus.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { phoneQuery } from "../../api/counter-queries.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./send-again.module.css";

interface SendAgainProps {
  readonly sale: Sale;
  readonly line: SaleLine;
  readonly current: CurrentSale;
}

/**
 * Returns the line if it can be sent again: the only undelivered line, a top-up whose full price is
 * to be refunded.
 */
export function lineToSendAgain({ lines }: Sale): SaleLine | undefined {
  const failed = lines.filter(({ outcome, refunded }) => outcome === "NOT_DELIVERED" && !refunded);
  const [only] = failed;
  return failed.length === 1 && only?.recipientPhoneNumber !== undefined && only.discount === 0
    ? only
    : undefined;
}

/**
 * Sends the line to a corrected number with the same payment. The field does not take the focus, so
 * that the next customer's number, typed blindly, is not entered here.
 */
export function SendAgain({ sale, line, current }: SendAgainProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { text, setText, number, remark } = useCorrection(line, current);
  const sending = useSending(sale, line, current);
  const product = useLineTitle()(line);
  const send = () => {
    if (number !== undefined && !sending.isPending) sending.mutate(number);
  };
  return (
    <form
      className={classes.way}
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          setText(line.recipientFormatted);
          restFocus();
        }
      }}
    >
      <div>
        <h3 id={`${id}-title`} className="size-title">
          {t("sale.again.title")}
        </h3>
        <p className="soft hide-empty">{t("sale.again.hint")}</p>
      </div>
      <div className="flex wrap gap-3">
        <label htmlFor={id} className="spoken">
          {t("sale.again.number")}
        </label>
        <span className={classes.field} data-field>
          <input
            id={id}
            className={classes.input}
            type="text"
            inputMode="tel"
            autoComplete="off"
            spellCheck={false}
            value={text}
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <BrandFace brand={line.brand} name={line.brandName} color={line.brandColor} />
        </span>
        <Button
          type="submit"
          size="xl"
          className={classes.send ?? ""}
          disabled={number === undefined || sending.isPending}
        >
          {t("sale.again.send", { product })}
        </Button>
      </div>
      <p id={`${id}-hint`} className="soft hide-empty" aria-live="polite">
        {remark}
      </p>
      {sending.error ? <ErrorNotice words={errorWords(sending.error, t, format)} /> : null}
    </form>
  );
}

/**
 * Reads the corrected number, which must be valid and differ from the original number. Also returns
 * a text about the number's carrier or error.
 */
function useCorrection(line: SaleLine, { till }: CurrentSale) {
  const { t } = useTranslation();
  const [text, setText] = useState(line.recipientFormatted);
  const typed = typedNumber(text);
  const { data: phone } = useQuery(phoneQuery(typed));
  const whole = phone?.valid && phone.mobile ? phone.number : undefined;
  const number = whole === line.recipientPhoneNumber ? undefined : whole;
  const detected = number === undefined ? undefined : phone?.detected;
  const isOther = detected !== undefined && detected.brand !== line.brand;
  return {
    text,
    number,
    setText: (changed: string) => {
      const shown = groupTyped(typedNumber(changed), till.country);
      setText(`${shown.addsPlus ? "+" : ""}${shown.formatted}`);
    },
    remark: isOther
      ? t("counter.looksLike", { brand: detected.brandName })
      : phone?.valid === false && t(`counter.problem.${numberProblem(typed, till.country)}`),
  };
}

/**
 * Repeats to the same number use the same ids. After a reload the ids are new, but the gateway
 * sends the line only once, because its payment can be used only once.
 */
function useSending(sale: Sale, line: SaleLine, { showSale }: CurrentSale) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [idsByNumber] = useState(() => new Map<string, ReplacementIds>());
  return useMutation({
    mutationFn: async (number: string) => {
      const known = idsByNumber.get(number);
      const { transactionId, ...ids } = known ?? newReplacementIds();
      idsByNumber.set(number, { transactionId, ...ids });
      const { productType, offerId, value, price } = line;
      // The customer names the corrected number to the clerk.
      const numberCheck = "CLERK" as const;
      const wanted = { productType, offerId, recipientPhoneNumber: number, price, numberCheck };
      return sendApproved(approve, sale.saleId, (approvalId) =>
        call(saleOperations.replace, {
          params: { saleId: sale.saleId },
          body: {
            ...ids,
            replaces: line.transactionId,
            line: { transactionId, ...wanted, ...(value && { value }) },
            ...(approvalId && { approvalId }),
          },
        }),
      );
    },
    onSuccess: (sent) => {
      putSale(queryClient, sent);
      void queryClient.invalidateQueries({ queryKey: saleQuery(sale.saleId).queryKey });
      showSale(sent.saleId);
      restFocus();
    },
  });
}

interface ReplacementIds {
  readonly customerRefundId: string;
  readonly replacementId: string;
  readonly transactionId: string;
}

function newReplacementIds(): ReplacementIds {
  return { customerRefundId: newId(), replacementId: newId(), transactionId: newId() };
}
