import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import { joinParts } from "../../../../lib/direction.ts";
import { regionWords } from "../../../../lib/region-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { UNLIMITED } from "./plan-filters.ts";

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
