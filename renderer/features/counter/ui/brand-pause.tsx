import { IconClockPause, IconHandStop } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./brand-pause.module.css";
import type { Pause } from "./pause.ts";

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
