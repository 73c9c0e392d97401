import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TillState } from "../../../../server/contract/pos/till-environment.ts";
import { amountText } from "../../../lib/amount-text.ts";
import { fractionDigits, parseAmount } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./going-live-screen.module.css";

/** What the first live sales may be at most until the owner says otherwise, in the wallet's currency. */
const USUAL_PER_SALE = 20;
const USUAL_SALES_A_DAY = 10;
/** Good sales after which the gateway ends it. */
const NEEDED = 20;

interface PilotCaps {
  readonly perSale: string;
  readonly perDay: string;
  readonly onPerSale: (text: string) => void;
  readonly onPerDay: (text: string) => void;
  /** In minor units of the shop's currency; undefined while one is not typed. */
  readonly typed: { readonly mostPerSale: number; readonly mostPerDay: number } | undefined;
}

/** The caps of the first live sales as they are typed. */
export function usePilotCaps({ currencyDivisor, rate }: TillState): PilotCaps {
  const digits = fractionDigits(currencyDivisor);
  const usual = Math.ceil(USUAL_PER_SALE * Number(rate?.rate ?? 1));
  const [perSale, setPerSale] = useState(String(usual));
  const [perDay, setPerDay] = useState(String(usual * USUAL_SALES_A_DAY));
  const mostPerSale = parseAmount(perSale, currencyDivisor) ?? 0;
  const mostPerDay = parseAmount(perDay, currencyDivisor) ?? 0;
  return {
    perSale,
    perDay,
    onPerSale: (text) => setPerSale(amountText(text, digits)),
    onPerDay: (text) => setPerDay(amountText(text, digits)),
    typed: mostPerSale > 0 && mostPerDay > 0 ? { mostPerSale, mostPerDay } : undefined,
  };
}

interface PilotFieldsProps {
  readonly caps: PilotCaps;
  readonly currency: string;
}

/** Says that it begins small, and how small. */
export function PilotFields({ caps, currency }: PilotFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <p className={classes.soft}>
        {t("office.live.pilot.begin", { needed: format.number(NEEDED) })}
      </p>
      <div className={classes.form}>
        <TextInput
          label={t("office.live.pilot.perSale", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(caps.perSale)}
          onChange={({ currentTarget }) => caps.onPerSale(currentTarget.value)}
        />
        <TextInput
          label={t("office.live.pilot.perDay", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(caps.perDay)}
          onChange={({ currentTarget }) => caps.onPerDay(currentTarget.value)}
        />
      </div>
    </>
  );
}
