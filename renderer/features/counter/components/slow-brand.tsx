import { IconClockPause } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./slow-brand.module.css";

interface SlowBrandProps {
  readonly since: string;
}

/** Beside a brand, in a line that is there anyway: its provider is slow (product lesson 6). */
export function SlowMark({ since }: SlowBrandProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={classes.mark}>
      <IconClockPause size="1.15em" aria-hidden="true" className={classes.markIcon} />{" "}
      {t("counter.slow.mark", { time: format.moment(since) })}
    </span>
  );
}

/** What a slow provider means for the sale: it is possible, and it waits. */
export function SlowNotice({
  since,
  boxed = false,
}: SlowBrandProps & { readonly boxed?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  // "10:42 a. m." brings its own full stop.
  const words = t("counter.slow.notice", { time: format.moment(since) }).replace("..", ".");
  return (
    <p className={classes.notice} data-boxed={boxed}>
      <IconClockPause size="1.25rem" stroke={2} aria-hidden="true" className={classes.icon} />
      <span>{words}</span>
    </p>
  );
}
