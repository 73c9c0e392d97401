import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { GatewayVerdict } from "../../../../../server/contract/pos/upstream.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import classes from "./gateway.module.css";

const SIGNS = {
  GOOD: IconCircleCheck,
  WARNS: IconAlertTriangle,
  BAD: IconCircleX,
  UNKNOWN: IconCircleDashed,
} as const;

/** What was found out about a gateway, test by test, in plain words. */
export function VerdictList({ verdict }: { readonly verdict: GatewayVerdict }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { tests, usable, message, currency, theirCurrency = "", clockDifference_s } = verdict;
  const seconds = format.number(Math.abs(clockDifference_s ?? 0));
  return (
    <div className={classes.verdict} role="status">
      <strong>{t(usable ? "office.live.verdict.usable" : "office.live.verdict.unusable")}</strong>
      <ul className={classes.tests}>
        {tests.map(({ test, outcome }) => {
          const Sign = SIGNS[outcome];
          return (
            <li key={test} className={classes.test} data-outcome={outcome}>
              <Sign size="1.25rem" stroke={2} aria-hidden="true" />
              <span>
                {t(`office.live.verdict.${test}.${wordOf(test, outcome)}`, {
                  ours: currency,
                  theirs: theirCurrency,
                  seconds,
                })}
              </span>
            </li>
          );
        })}
      </ul>
      {message === undefined ? null : (
        <small className={classes.soft} lang="en" dir="ltr">
          {message}
        </small>
      )}
    </div>
  );
}

type Test = GatewayVerdict["tests"][number];

/** A clock that warns is one that was not told. */
function wordOf(test: Test["test"], outcome: Test["outcome"]): "good" | "bad" | "unknown" {
  if (outcome === "GOOD") {
    return "good";
  }
  return outcome === "UNKNOWN" || (outcome === "WARNS" && test === "CLOCKS_EQUAL")
    ? "unknown"
    : "bad";
}
