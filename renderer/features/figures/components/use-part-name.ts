import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import {
  FIGURE_CHANNELS,
  type FigureDimension,
  NO_CLERK,
  UNKNOWN_KEY,
} from "../../../../server/contract/pos/figures.ts";
import { NO_TILLS } from "../../../../server/contract/pos/tills.ts";
import { useFormat } from "../../../lib/use-format.ts";

export function usePartName(): (by: FigureDimension, value: string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (by, value) => {
    const family = by === "FAMILY" ? FAMILIES.find((one) => one === value) : undefined;
    if (family) return t(`family.${family}.several`);
    const noTill = by === "TILL" ? NO_TILLS.find((one) => one === value) : undefined;
    if (noTill) return t(`office.figures.tills.${noTill}`);
    const channel = by === "CHANNEL" && FIGURE_CHANNELS.find((one) => one === value);
    if (channel) return t(`office.figures.channel.${channel}`);
    if (by === "CLERK" && value === NO_CLERK) return t("office.figures.channel.API");
    if (by === "KEY" && value === UNKNOWN_KEY) return t("office.figures.unknownKey");
    return by === "COUNTRY" ? format.country(value) : value;
  };
}
