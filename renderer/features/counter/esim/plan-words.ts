import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosEsimOffer } from "../../../../server/contract/pos/offers.ts";
import { joinParts } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { UNLIMITED } from "./plan-filters.ts";

type Plan = Pick<
  PosEsimOffer,
  "dataGB" | "dataUnlimited" | "durationDays" | "voiceMinutes" | "voiceUnlimited" | "roaming"
>;

/** A plan in the clerk's words: what it holds and how long, and where it works. */
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
      details: ({ voiceMinutes, voiceUnlimited, roaming }: Plan) =>
        [
          voiceUnlimited ? t("counter.voiceUnlimited") : undefined,
          voiceMinutes > 0
            ? t("counter.voiceMinutes", {
                count: voiceMinutes,
                amount: format.number(voiceMinutes),
              })
            : undefined,
          roaming.length > 0 ? t("counter.esim.countries", { count: roaming.length }) : undefined,
        ]
          .filter((word) => word !== undefined)
          .join(" · "),
      region: (region: string) => t(`counter.esim.region.${regionKey(region)}`),
    };
  }, [t, format]);
}

const REGION_KEYS = {
  Global: "global",
  Africa: "africa",
  Asia: "asia",
  Caribbean: "caribbean",
  "Central America": "centralAmerica",
  "Eastern Europe": "easternEurope",
  "Western Europe": "westernEurope",
  "North America": "northAmerica",
  Oceania: "oceania",
  "South America": "southAmerica",
  "South Asia": "southAsia",
  "Southeast Asia": "southeastAsia",
  "Middle East and North Africa": "middleEast",
} as const;

/** A region the catalog has and this list has not is told as the whole world's. */
function regionKey(region: string) {
  return REGION_KEYS[region as keyof typeof REGION_KEYS] ?? "global";
}
