import { Skeleton } from "@mantine/core";
import { useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosBill } from "../../../../../server/contract/pos/bills.ts";
import { FitText } from "../../../../components/fit-text.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { amountText } from "../../../../lib/amount-text.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { fractionDigits, toDecimal } from "../../../../lib/money.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import confirmClasses from "../../sale/confirm/confirm-step.module.css";
import { Keypad, modeBeside, useKeypadShown } from "../../ui/keypad.tsx";
import { OWN_FIELD } from "../../ui/own-field.ts";
import stepClasses from "../../ui/step.module.css";
import type { StepControl } from "../../ui/step-control.ts";
import { WalletNotice } from "../../ui/wallet-words.tsx";
import { WideInput } from "../../ui/wide-input.tsx";
import { ruleOf } from "./payment-rules.ts";
import type { BillPayment } from "./use-bill.ts";

interface BillAmountStepProps {
  readonly payment: BillPayment;
  readonly control: StepControl;
}

/** What is due as the biller says it, and another amount where the biller takes one. */
export function BillAmountStep({ payment, control }: BillAmountStepProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [keypadShown] = useKeypadShown();
  const { data } = payment.bill;
  const error = troubleOf(payment.bill);
  const { offer } = payment.state;
  const rule = offer ? ruleOf(offer) : "exact";
  return (
    <section className={stepClasses.card} aria-labelledby="bill-title">
      <h1 id="bill-title" className={stepClasses.title}>
        {t("counter.bill.due")}
      </h1>
      {error instanceof ApiError && error.errorCode === "BILL_NOT_FOUND" ? (
        <Notice tone="wait" loud>
          <strong>{t("counter.bill.notFound")}</strong>
        </Notice>
      ) : null}
      {error && !(error instanceof ApiError && error.errorCode === "BILL_NOT_FOUND") ? (
        <ErrorNotice words={errorWords(error, t, format)} />
      ) : null}
      {payment.bill.isPending && !error ? <Skeleton height="12rem" radius="md" /> : null}
      {data ? (
        <>
          <Retrieved payment={payment} bill={data} />
          <p className={stepClasses.quiet}>{t(`counter.bill.rule.${rule}`)}</p>
          {rule === "exact" ? null : <OtherAmount payment={payment} bill={data} />}
          {keypadShown && rule !== "exact" ? (
            <Keypad
              withPoint
              onDigit={(digit) => control.type?.((typed) => typed + digit)}
              onErase={() => control.type?.((typed) => typed.slice(0, -1))}
            />
          ) : null}
          {payment.walletShort ? <WalletNotice short={payment.walletShort} /> : null}
          {payment.problem ? (
            <Notice tone="wait" loud>
              {t(`counter.bill.problem.${payment.problem}`)}
            </Notice>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

/** What is due, and what the customer pays: for that, or for the amount that was typed instead. */
function Retrieved({ payment, bill }: { readonly payment: BillPayment; readonly bill: PosBill }) {
  const { t } = useTranslation();
  const format = useFormat();
  const inShop = (minor: number) =>
    format.money(minor, bill.priceCurrency, bill.priceCurrencyDivisor);
  const { price, fee = 0 } = payment.pays ?? {};
  return (
    <dl className={confirmClasses.facts}>
      <div>
        <dt>{t("counter.bill.amountDue")}</dt>
        <dd>
          <FitText>
            {format.money(bill.send, bill.sendCurrency, bill.sendCurrencyDivisor, "code")}
          </FitText>
        </dd>
      </div>
      <div>
        <dt>
          {t("counter.customerPays")}
          {fee > 0 ? (
            <span className={confirmClasses.offer}>
              {t("counter.bill.fee", { fee: inShop(fee) })}
            </span>
          ) : null}
        </dt>
        <dd>
          <FitText>{price === undefined ? "—" : inShop(price)}</FitText>
        </dd>
      </div>
    </dl>
  );
}

function OtherAmount({ payment, bill }: { readonly payment: BillPayment; readonly bill: PosBill }) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [keypadShown] = useKeypadShown();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const { state, dispatch } = payment;
  return (
    <div>
      <label htmlFor={id}>{t("counter.bill.other", { currency: bill.sendCurrency })}</label>
      <WideInput
        {...OWN_FIELD}
        ref={field}
        id={id}
        type="text"
        inputMode={modeBeside(keypadShown, "decimal")}
        autoComplete="off"
        placeholder={format.typedAmount(toDecimal(bill.send, bill.sendCurrencyDivisor))}
        value={format.typedAmount(state.amount.text)}
        onChange={({ currentTarget }) =>
          dispatch({
            type: "amount-typed",
            text: amountText(currentTarget.value, fractionDigits(bill.sendCurrencyDivisor)),
          })
        }
      />
    </div>
  );
}
