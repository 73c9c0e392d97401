import { IconArrowRight } from "@tabler/icons-react";
import { getExampleNumber, isSupportedCountry } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { useTranslation } from "react-i18next";
import { Flag } from "../../../../components/flag.tsx";
import { groupPhone } from "../../../../lib/phone-format.ts";
import classes from "./recent-list.module.css";
import type { Topup } from "./use-topup.ts";

/** Anybody's in the test environment: nothing real is sent. */
const SAMPLE = "+50251234567";
/** What the last digits of a number do there (docs/owners.md). */
const ENDS = [
  ["", "delivered"],
  ["9001", "notDelivered"],
  ["9007", "later"],
] as const;

/** A shop that has sold nothing yet, in the test environment: numbers to begin with, and what they do. */
export function TryNumbers({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { homeCountry, dispatch } = topup;
  const sample =
    (isSupportedCountry(homeCountry)
      ? getExampleNumber(homeCountry, examples)?.number
      : undefined) ?? SAMPLE;
  const country = sample === SAMPLE ? "GT" : homeCountry;
  return (
    <section className={classes.group} aria-label={t("counter.try.title")}>
      <h2 className={classes.title}>{t("counter.try.title")}</h2>
      <ul className={classes.list}>
        {ENDS.map(([end, outcome]) => {
          const number = sample.slice(0, sample.length - end.length) + end;
          return (
            <li key={outcome} className={classes.row}>
              <button
                type="button"
                className={classes.recent}
                onClick={() => dispatch({ type: "number-typed", digits: number })}
              >
                <span className={classes.who}>
                  <span className={classes.number}>
                    <Flag country={country} />{" "}
                    <bdi dir="ltr">{groupPhone(number.slice(1)).formatted}</bdi>
                  </span>
                  <span className={classes.what}>{t(`counter.try.${outcome}`)}</span>
                </span>
                <IconArrowRight size="1.25rem" aria-hidden="true" className={classes.onwards} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
