import { Button, Skeleton, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../server/contract/common.ts";
import {
  type PriceReason,
  type PriceStepName,
  priceOperations,
} from "../../server/contract/pos/price-lists.ts";
import type { PurchaseValue } from "../../server/contract/v1/purchase-record.ts";
import { amountText } from "../lib/amount-text.ts";
import { fractionDigits, parseAmount } from "../lib/money.ts";
import { offerTitle } from "../lib/offer-title.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { type RuleSaying, ruleWords } from "../lib/price-rule-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { Notice, Trouble } from "./notice.tsx";
import classes from "./why-price.module.css";

interface WhyPriceProps {
  readonly environment: Environment;
  readonly offerId: string;
  /** Value of a RANGE offer; its minimum by default. */
  readonly value?: PurchaseValue | undefined;
}

export function WhyPrice({ environment, offerId, value }: WhyPriceProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(value);
  const reason = useQuery({
    ...operationQuery(priceOperations.explain, {
      params: { environment },
      body: { offerId, ...(asked && { value: asked }) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="stack gap-3" aria-label={t("priceReason.title")} aria-live="polite">
      <Trouble error={reason.error} />
      {reason.isPending ? <Skeleton height="12rem" radius="md" /> : null}
      {reason.data ? (
        <>
          <Reason reason={reason.data} />
          {reason.data.range ? <OtherAmount reason={reason.data} onAsk={setAsked} /> : null}
        </>
      ) : null}
    </section>
  );
}

function Reason({ reason }: { readonly reason: PriceReason }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, currencyDivisor, brandName, title, rule, blocked, cost, rate } = reason;
  const name = offerTitle(brandName, format.contents(title), format.locale);
  const saying: RuleSaying = {
    t,
    format,
    currency,
    currencyDivisor,
    brandName: () => brandName,
    offerName: () => name,
  };
  const isConverted = cost.currency !== currency;
  return (
    <>
      <div className="flex wrap justify-between items-baseline gap-2-4">
        <h2 className="size-label">{name}</h2>
        <strong className="size-heading leading-115 tabular">
          {reason.price === undefined
            ? t("priceReason.notSold")
            : format.money(reason.price, currency, currencyDivisor)}
        </strong>
      </div>
      {blocked ? <Notice tone="bad">{t(`priceReason.blocked.${blocked}`)}</Notice> : null}
      <p className="pad-3-4 round sunken">
        {rule
          ? t("priceReason.rule", { rule: ruleWords(rule, saying) })
          : t(`priceReason.${reason.faceValue ? "faceValue" : "noRule"}`)}
      </p>
      {rule?.note ? <p className="soft size-caption regular">{rule.note}</p> : null}
      <dl className="stack frame divided">
        {shownSteps(reason).map(({ step, amount }) => (
          <div key={step} className={classes.step} data-step={step}>
            <dt className="stack">
              {t(`priceReason.step.${step}`)}
              {step === "COST" && isConverted ? (
                <span className="soft size-caption regular">
                  {t("priceReason.costAt", {
                    cost: format.money(cost.amount, cost.currency, cost.currencyDivisor, "code"),
                    rate: format.number(rate.rate as `${number}`),
                    date: format.date(rate.setAt),
                  })}
                </span>
              ) : null}
            </dt>
            <dd className="tabular nowrap">
              {format.money(Math.round(Number(amount)), currency, currencyDivisor)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="medium">
        {t("priceReason.margin", { percent: format.percent(reason.marginPercent) })}
      </p>
      <p className="soft size-caption regular">
        {reason.version > 0 ? t("priceReason.version", { version: reason.version }) : null}
        {reason.until === undefined
          ? null
          : ` ${t("priceReason.until", { time: format.moment(reason.until) })}`}
      </p>
    </>
  );
}

/** Steps that are shown even if they change nothing. */
const ALWAYS: ReadonlySet<PriceStepName> = new Set(["COST", "RULE", "FLOOR", "PRICE"]);

function shownSteps({ steps }: PriceReason): PriceReason["steps"] {
  let before: string | undefined;
  return steps.filter(({ step, amount }) => {
    const isSame = amount === before;
    if (step !== "FLOOR") {
      before = amount;
    }
    return !isSame || ALWAYS.has(step);
  });
}

interface OtherAmountProps {
  readonly reason: PriceReason;
  readonly onAsk: (value: PurchaseValue) => void;
}

function OtherAmount({ reason, onAsk }: OtherAmountProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState("");
  const { currency, currencyDivisor, range } = reason;
  const value = parseAmount(text, currencyDivisor);
  if (!range) {
    return null;
  }
  return (
    <form
      className="flex wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== undefined) {
          onAsk({ type: "PRICE", value });
        }
      }}
    >
      <TextInput
        label={t("priceReason.otherAmount")}
        description={format.moneyRange([range.min, range.max], currency, currencyDivisor)}
        inputMode="decimal"
        autoComplete="off"
        value={format.typedAmount(text)}
        onChange={({ currentTarget }) =>
          setText(amountText(currentTarget.value, fractionDigits(currencyDivisor)))
        }
      />
      <Button type="submit" variant="default" disabled={value === undefined}>
        {t("priceReason.ask")}
      </Button>
    </form>
  );
}
