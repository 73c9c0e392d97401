import { IconClockPause } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../components/key-cap.tsx";
import stepClasses from "../components/step.module.css";
import type { Counter } from "../use-counter.ts";

interface HoldButtonProps {
  readonly counter: Counter;
  /** In a column, its words stand in line with the others. */
  readonly flush?: boolean;
}

/** Puts the basket aside; with an empty one, shows those that were. */
export function HoldButton({ counter, flush = false }: HoldButtonProps) {
  const { t } = useTranslation();
  const { held, sale } = counter;
  const isSelling = sale.lines.length > 0;
  if (!isSelling && held.list.length === 0) {
    return null;
  }
  return (
    <button
      type="button"
      className={flush ? `${stepClasses.link} ${stepClasses.flush}` : stepClasses.link}
      disabled={sale.state.paying}
      onClick={(event) => {
        event.currentTarget.blur();
        held.open();
      }}
    >
      <IconClockPause size="1.25rem" aria-hidden="true" />
      {isSelling ? t("counter.held.hold") : t("counter.held.show", { count: held.list.length })}{" "}
      <KeyCap>Alt+H</KeyCap>
    </button>
  );
}
