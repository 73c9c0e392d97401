import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import { joinParts } from "../../../../lib/direction.ts";
import { regionWords } from "../../../../lib/region-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";

const UNLIMITED = "unlimited";

function dataOf({ dataGB, dataUnlimited }: PosEsimOffer): string {
  return dataUnlimited ? UNLIMITED : String(dataGB);
}

/** Data volumes of the plans, smallest first, unlimited last. */
export function dataChoices(plans: readonly PosEsimOffer[]): readonly string[] {
  const gigabytes = [
    ...new Set(plans.filter((plan) => !plan.dataUnlimited).map(({ dataGB }) => dataGB)),
  ];
  const sorted = gigabytes.sort((a, b) => a - b).map(String);
  return plans.some(({ dataUnlimited }) => dataUnlimited) ? [...sorted, UNLIMITED] : sorted;
}

/** Durations of the plans in days, shortest first. */
export function dayChoices(plans: readonly PosEsimOffer[]): readonly number[] {
  return [...new Set(plans.map(({ durationDays }) => durationDays))].sort((a, b) => a - b);
}

interface Filters {
  readonly dataFilter: string | undefined;
  readonly dayFilter: number | undefined;
}

export function filterPlans(
  plans: readonly PosEsimOffer[],
  { dataFilter, dayFilter }: Filters,
): readonly PosEsimOffer[] {
  return plans.filter(
    (plan) =>
      (dataFilter === undefined || dataOf(plan) === dataFilter) &&
      (dayFilter === undefined || plan.durationDays === dayFilter),
  );
}

/** Returns the next filter in the cycle of all plans (undefined) and each choice. */
export function nextChoice<Choice>(
  choices: readonly Choice[],
  now: Choice | undefined,
): Choice | undefined {
  const at = now === undefined ? -1 : choices.indexOf(now);
  return choices[at + 1];
}

type Plan = Pick<
  PosEsimOffer,
  | "dataGB"
  | "dataUnlimited"
  | "durationDays"
  | "voiceMinutes"
  | "voiceUnlimited"
  | "country"
  | "regions"
  | "roaming"
>;

export type PlanWords = ReturnType<typeof usePlanWords>;

export function usePlanWords() {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const data = (choice: string) =>
      choice === UNLIMITED
        ? t("counter.dataUnlimited")
        : t("counter.dataGB", { amount: format.number(Number(choice)) });
    const days = (count: number) => t("counter.days", { count });
    return {
      data,
      days,
      title: ({ dataGB, dataUnlimited, durationDays }: Plan) =>
        joinParts(
          [data(dataUnlimited ? UNLIMITED : String(dataGB)), days(durationDays)],
          format.locale,
        ),
      details: ({ voiceMinutes, voiceUnlimited, country, regions, roaming }: Plan) =>
        [
          voiceUnlimited ? t("counter.voiceUnlimited") : undefined,
          voiceMinutes > 0
            ? t("counter.voiceMinutes", {
                count: voiceMinutes,
                amount: format.number(voiceMinutes),
              })
            : undefined,
          country === ""
            ? joinParts(
                regions.map((one) => regionWords(one, t)),
                format.locale,
              )
            : undefined,
          roaming.length > 0 ? t("counter.esim.countries", { count: roaming.length }) : undefined,
        ]
          .filter((word) => word !== undefined)
          .join(" · "),
    };
  }, [t, format]);
}
