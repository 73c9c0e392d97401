import { useTranslation } from "react-i18next";
import type { LiveStep } from "../../../../server/contract/pos/till-environment.ts";
import classes from "./going-live-screen.module.css";

const STEPS: readonly LiveStep[] = ["PRACTICE", "CHECKING", "PILOT", "LIVE"];

function stateOf(index: number, now: number): "done" | "now" | "later" {
  if (index === now) {
    return "now";
  }
  return index < now ? "done" : "later";
}

/** How far the shop is on the way to live. */
export function LiveSteps({ step }: { readonly step: LiveStep }) {
  const { t } = useTranslation();
  const now = STEPS.indexOf(step);
  return (
    <ol className={classes.steps} aria-label={t("office.live.step.label")}>
      {STEPS.map((one, index) => (
        <li
          key={one}
          className={classes.step}
          data-state={stateOf(index, now)}
          aria-current={index === now ? "step" : undefined}
        >
          {t(`office.live.step.${one}`)}
        </li>
      ))}
    </ol>
  );
}
