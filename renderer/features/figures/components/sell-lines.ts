import { useTranslation } from "react-i18next";
import type { FirstPage } from "../../../../server/contract/pos/figures.ts";
import { joinParts } from "../../../lib/direction.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { moneyOf } from "../figure-format.ts";

interface CardWords {
  readonly value: string;
  readonly base: readonly string[];
  readonly tone: "plain" | "bad" | "wait";
}

/** Whether the shop can sell, in figures and words. */
export function useSellLines(page: FirstPage): Record<"float" | "success" | "offers", CardWords> {
  const { t } = useTranslation();
  const format = useFormat();
  return {
    float: floatWords(page, t, format),
    success: successWords(page, t, format),
    offers: offersWords(page, t, format),
  };
}

function floatWords({ float }: FirstPage, t: Translate, format: Format): CardWords {
  const { available, held, salesLeft, lastsUntil } = float;
  const money = moneyOf(format, float);
  const isEmpty = available <= 0 || salesLeft === 0;
  return {
    value: money(available),
    base: [
      t("office.overview.float.held", { amount: money(held) }),
      ...(salesLeft === undefined
        ? [t("office.overview.float.unknown")]
        : [t("office.overview.float.left", { number: format.number(salesLeft) })]),
      ...(lastsUntil
        ? [t("office.overview.float.lasts", { time: format.moment(lastsUntil) })]
        : []),
      ...(salesLeft !== undefined && !lastsUntil ? [t("office.overview.float.long")] : []),
    ],
    tone: isEmpty ? "bad" : "plain",
  };
}

function successWords(page: FirstPage, t: Translate, format: Format): CardWords {
  const { success, sending, pausedBrands } = page;
  const { delivered, notDelivered, pct } = success;
  const part = t("office.overview.success.part", {
    delivered: format.number(delivered),
    all: format.number(delivered + notDelivered),
  });
  const paused = pausedBrands.map(({ brand }) => brand);
  const { slowBrands } = sending;
  const troubles = [
    ...(slowBrands.length > 0
      ? [t("office.overview.success.slow", { brands: joinParts(slowBrands, format.locale) })]
      : []),
    ...(paused.length > 0
      ? [t("office.overview.success.paused", { brands: joinParts(paused, format.locale) })]
      : []),
  ];
  return {
    value: pct === undefined ? part : format.percent(pct),
    base: [
      pct === undefined ? t("office.figures.few") : t("office.overview.success.base", { part }),
      ...(troubles.length > 0 ? troubles : [t("office.overview.success.well")]),
    ],
    tone: troubles.length > 0 ? "wait" : "plain",
  };
}

function offersWords({ blockedOffers, rate }: FirstPage, t: Translate, format: Format): CardWords {
  return {
    value: format.number(blockedOffers),
    base: [
      t("office.overview.offers.base"),
      t("office.overview.offers.rate", {
        rate: format.number(Number(rate.rate)),
        age: format.age(rate.setAt),
      }),
    ],
    tone: blockedOffers > 0 ? "wait" : "plain",
  };
}
