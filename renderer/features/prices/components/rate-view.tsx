import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { PriceListState, PriceRate } from "../../../../server/contract/pos/price-lists.ts";
import { Form } from "../../../components/form.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { cleanRate, isFarRate, isRate } from "../../../lib/rate-rules.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  PRICE_ANSWERS,
  pricePreviewQuery,
  priceRateQuery,
  priceVersionQuery,
  setRate,
} from "../api/price-queries.ts";
import { editable } from "../list-draft.ts";
import { PreviewFigures } from "./preview-figures.tsx";
import listClasses from "./price-lists.module.css";
import classes from "./prices.module.css";

interface RateViewProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly onWhy: (offerId: string) => void;
}

export function RateView({ environment, state, onWhy }: RateViewProps) {
  const { t } = useTranslation();
  const rate = useQuery(priceRateQuery(environment));
  if (!rate.data) {
    return rate.error ? (
      <QueryTrouble query={rate} />
    ) : (
      <p className="soft" role="status">
        {t("office.prices.preview.looking")}
      </p>
    );
  }
  const { currency, walletCurrency } = rate.data;
  if (currency === walletCurrency) {
    return <p className="soft">{t("goLive.rate.none", { currency })}</p>;
  }
  return (
    <div className={classes.form}>
      <RateNow rate={rate.data} />
      <Margins rate={rate.data} />
      <NewRate environment={environment} state={state} rate={rate.data} onWhy={onWhy} />
    </div>
  );
}

function RateNow({ rate }: { readonly rate: PriceRate }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { walletCurrency: wallet, currency: shop, reference } = rate;
  const number = (value: string) => format.number(value as `${number}`);
  return (
    <section className={classes.group} aria-labelledby="prices-rate">
      <h2 id="prices-rate" className="size-label">
        {t("setup.ratePlain", { wallet, shop, rate: number(rate.rate) })}
      </h2>
      <p className="soft">
        {t(`office.prices.rate.source.${rate.source}`, {
          date: format.date(rate.setAt),
          age: format.age(rate.setAt),
        })}
      </p>
      {reference ? (
        <p className="soft">
          {t("office.prices.rate.reference", {
            date: format.date(`${reference.date}T12:00:00Z`),
            age: format.age(`${reference.date}T12:00:00Z`),
            rate: number(reference.rate),
            drift: signed(rate.driftPercent, format.percent),
          })}
        </p>
      ) : null}
      {rate.isAlert ? (
        <Notice tone="wait">
          {t(rate.driftPercent > 0 ? "office.prices.rate.tooLow" : "office.prices.rate.tooHigh", {
            drift: format.percent(Math.abs(rate.driftPercent)),
            alert: format.percent(rate.alertPercent),
          })}
        </Notice>
      ) : null}
    </section>
  );
}

function signed(value: number, percent: (value: number) => string): string {
  return value > 0 ? `+${percent(value)}` : percent(value);
}

function Margins({ rate }: { readonly rate: PriceRate }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { reference } = rate;
  return (
    <section className={classes.group} aria-labelledby="prices-margins">
      <h2 id="prices-margins" className="size-label">
        {t("office.prices.rate.margins")}
      </h2>
      <table className={listClasses.table}>
        <thead>
          <tr>
            <th scope="col">{t("office.prices.rate.column.earns")}</th>
            <th scope="col">{t("office.prices.rate.column.now")}</th>
            {reference ? <th scope="col">{t("office.prices.rate.column.reference")}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rate.margins.map(({ belowPercent, offers, atReference }) => (
            <tr key={belowPercent}>
              <th scope="row">
                {belowPercent === 0
                  ? t("office.prices.rate.loses")
                  : t("office.prices.rate.below", { percent: format.percent(belowPercent) })}
              </th>
              <td>{format.number(offers)}</td>
              {reference ? (
                <td data-bad={atReference > offers}>{format.number(atReference)}</td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Previewed first, because a rate changes every price based on the cost. */
function NewRate({
  environment,
  state,
  rate,
  onWhy,
}: RateViewProps & { readonly rate: PriceRate }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const [looked, setLooked] = useState<string>();
  const inForce = useQuery(priceVersionQuery(environment, state.inForce));
  const list = editable(inForce.data?.list ?? state.list);
  const preview = useQuery({
    ...pricePreviewQuery(environment, { list, ...(looked !== undefined && { rate: looked }) }),
    enabled: looked !== undefined && inForce.isSuccess,
  });
  const save = useMutation({
    mutationFn: setRate,
    onSuccess: () => {
      announce(t("goLive.rate.saved"));
      setText("");
      setLooked(undefined);
      void invalidateAnswers(queryClient, PRICE_ANSWERS);
    },
  });
  const usual = rate.reference?.rate ?? rate.rate;
  const number = (value: string) => format.number(value as `${number}`);
  function type(typed: string) {
    setLooked(undefined);
    save.reset();
    setText(typed);
  }
  return (
    <section className={classes.group} aria-labelledby="prices-new-rate">
      <h2 id="prices-new-rate" className="size-label">
        {t("office.prices.rate.set")}
      </h2>
      <RateForm
        rate={rate}
        text={text}
        isBusy={preview.isFetching}
        onText={type}
        onLook={setLooked}
      />
      {isFarRate(text, usual) ? (
        <Notice tone="wait">{t("setup.rateFar", { rate: number(usual) })}</Notice>
      ) : null}
      <Trouble error={preview.error} />
      {preview.data && looked !== undefined ? (
        <>
          <div aria-live="polite" className={classes.group}>
            <PreviewFigures preview={preview.data} onWhy={onWhy} />
          </div>
          <Button
            className="self-start"
            loading={save.isPending}
            onClick={() => save.mutate(looked)}
          >
            {t("office.prices.rate.save", { rate: number(looked) })}
          </Button>
        </>
      ) : null}
      <Trouble error={save.error} />
      {save.isSuccess && text === "" ? <Notice tone="info">{t("goLive.rate.saved")}</Notice> : null}
    </section>
  );
}

interface RateFormProps {
  readonly rate: PriceRate;
  readonly text: string;
  readonly isBusy: boolean;
  readonly onText: (text: string) => void;
  readonly onLook: (rate: string) => void;
}

function RateForm({ rate, text, isBusy, onText, onLook }: RateFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isWrong, setWrong] = useState(false);
  const { currency: shop, walletCurrency: wallet } = rate;
  return (
    <Form
      className="flex wrap items-end gap-3"
      onSubmit={() => {
        setWrong(!isRate(text));
        if (isRate(text)) {
          onLook(cleanRate(text));
        }
      }}
    >
      <TextInput
        label={t("goLive.rate.field", { shop, wallet })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={19}
        placeholder={format.number(rate.rate as `${number}`)}
        value={text}
        error={isWrong ? t("setup.rateInvalid") : undefined}
        onChange={({ currentTarget }) => {
          setWrong(false);
          onText(latinDigits(currentTarget.value));
        }}
      />
      <Button type="submit" variant="default" loading={isBusy}>
        {t("office.prices.rate.look")}
      </Button>
    </Form>
  );
}
