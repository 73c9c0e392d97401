import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getExampleNumber, isSupportedCountry } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { useTranslation } from "react-i18next";
import { dismissFirstSteps } from "../../../lib/first-steps.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import classes from "./first-steps.module.css";

/** Anybody's in the test environment: nothing real is sent. */
const SAMPLE = "+502 5123 4567";

/** What a new owner tries first, shown where later the sale stands; others are told what they can do themselves. */
export function FirstSteps({ country }: { readonly country: string }) {
  const { t } = useTranslation();
  const isOwner = useQuery(sessionQuery()).data?.staff.role === "owner";
  const number = isSupportedCountry(country)
    ? (getExampleNumber(country, examples)?.formatInternational() ?? SAMPLE)
    : SAMPLE;
  return (
    <section className={classes.steps} aria-labelledby="first-steps">
      <h2 id="first-steps" className={classes.title}>
        {t("firstSteps.title")}
      </h2>
      <ol className={classes.list}>
        <li>{t("firstSteps.sell", { number })}</li>
        <li>{t("firstSteps.print")}</li>
        <li>{t("firstSteps.close")}</li>
        {isOwner ? (
          <>
            <li>{t("firstSteps.staff")}</li>
            <li>{t("firstSteps.live")}</li>
          </>
        ) : null}
      </ol>
      <Button variant="default" h="2.75rem" onClick={dismissFirstSteps}>
        {t("firstSteps.done")}
      </Button>
    </section>
  );
}
