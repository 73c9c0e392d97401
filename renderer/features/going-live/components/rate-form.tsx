import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TillState } from "../../../../server/contract/pos/till-environment.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { cleanRate, isFarRate, isRate } from "../../../lib/rate-rules.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { GOING_LIVE_ANSWERS, putRate } from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";

interface RateFormProps {
  readonly state: TillState;
  readonly field: Ref<HTMLInputElement>;
}

/** The exchange rate, how old it is, and today's. */
export function RateForm({ state, field }: RateFormProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.section} aria-labelledby="live-rate">
      <h2 id="live-rate" className={classes.legend}>
        {t("setup.rate")}
      </h2>
      {state.rate ? (
        <Rate state={state} rate={state.rate} field={field} />
      ) : (
        <p className={classes.soft}>{t("goLive.rate.none", { currency: state.currency })}</p>
      )}
    </section>
  );
}

interface RateProps extends RateFormProps {
  readonly rate: NonNullable<TillState["rate"]>;
}

function Rate({ state, rate, field }: RateProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const save = useMutation({
    mutationFn: () => putRate(cleanRate(text)),
    onSuccess: () => {
      announce(t("goLive.rate.saved"));
      setText("");
      void invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
  });
  const { currency: shop, walletCurrency: wallet } = state;
  const number = (value: string) => format.number(value as `${number}`);
  const plain = (value: string) =>
    t("setup.ratePlain", { wallet, shop, rate: isRate(value) ? number(cleanRate(value)) : "…" });
  const { reference } = rate;
  return (
    <>
      <div>
        <p className={classes.now}>{t("goLive.rate.now", { rate: plain(rate.rate) })}</p>
        <p className={classes.soft}>
          {t("goLive.rate.set", { date: format.date(rate.setAt), age: format.age(rate.setAt) })}
        </p>
        {reference ? (
          <p className={classes.soft}>
            {t("goLive.rate.reference", {
              date: format.date(`${reference.date}T12:00:00Z`),
              rate: number(reference.rate),
            })}
          </p>
        ) : null}
      </div>
      {rate.isOld ? <Notice tone="wait">{t("goLive.rate.old")}</Notice> : null}
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setWrong(!isRate(text));
          if (isRate(text) && !save.isPending) {
            save.mutate();
          }
        }}
      >
        <TextInput
          ref={field}
          label={t("goLive.rate.field", { shop, wallet })}
          inputMode="decimal"
          autoComplete="off"
          maxLength={19}
          placeholder={number(rate.rate)}
          value={text}
          error={isWrong ? t("setup.rateInvalid") : undefined}
          onChange={({ currentTarget }) => {
            setWrong(false);
            save.reset();
            setText(latinDigits(currentTarget.value));
          }}
        />
        <output className={classes.plain} dir="ltr" data-waiting={!isRate(text)}>
          {plain(text)}
        </output>
        <Button type="submit" loading={save.isPending}>
          {t("goLive.rate.save")}
        </Button>
      </form>
      {isFarRate(text, reference?.rate ?? rate.rate) ? (
        <Notice tone="wait">
          {t("setup.rateFar", { rate: number(reference?.rate ?? rate.rate) })}
        </Notice>
      ) : null}
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
      {save.isSuccess && text === "" ? <Notice tone="info">{t("goLive.rate.saved")}</Notice> : null}
    </>
  );
}
