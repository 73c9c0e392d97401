import { IconClockPause, IconHandStop } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../server/contract/pos/brands.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { brandsQuery } from "../api/offer-queries.ts";
import classes from "./brand-pause.module.css";

export interface Pause {
  readonly brandName: string;
  readonly since: string;
  /** True if the owner stopped the brand. False if the provider is slow, so that sales wait. */
  readonly byHand: boolean;
}

export function pauseOf(
  known: Pick<PosBrand, "brandName" | "pausedSince" | "pausedByHand"> | undefined,
): Pause | undefined {
  return known?.pausedSince === undefined
    ? undefined
    : {
        brandName: known.brandName,
        since: known.pausedSince,
        byHand: known.pausedByHand ?? false,
      };
}

/**
 * Returns the brand's pause; undefined if the brand is neither slow nor paused, or not loaded yet.
 */
export function useBrandPause(productType: Family, brand: string): Pause | undefined {
  const { data } = useQuery(brandsQuery(productType, true));
  return pauseOf(data?.list.find((one) => one.brand === brand));
}

interface BrandPauseProps {
  readonly pause: Pause;
}

export function PauseMark({ pause: { since, byHand } }: BrandPauseProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const Icon = byHand ? IconHandStop : IconClockPause;
  return (
    <span className={classes.mark} data-stop={byHand}>
      <Icon size="1.15em" aria-hidden="true" className={classes.markIcon} />{" "}
      {byHand ? t("counter.paused.mark") : t("counter.slow.mark", format.when(since))}
    </span>
  );
}

export function PauseNotice({
  pause: { brandName, since, byHand },
  boxed = false,
}: BrandPauseProps & { readonly boxed?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const Icon = byHand ? IconHandStop : IconClockPause;
  // A time such as "10:42 a. m." already ends with a full stop.
  const words = t(byHand ? "counter.paused.notice" : "counter.slow.notice", {
    ...format.when(since),
    brand: brandName,
  }).replace("..", ".");
  return (
    <p className={classes.notice} data-boxed={boxed} data-stop={byHand}>
      <Icon size="1.25rem" stroke={2} aria-hidden="true" className="flex-none" />
      <span>{words}</span>
    </p>
  );
}
