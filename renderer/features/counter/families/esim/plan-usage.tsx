import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { PosEsim } from "../../../../../server/contract/pos/esims.ts";
import { useAnnouncedElement } from "../../../../lib/announcer.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import stepClasses from "../../ui/step.module.css";
import classes from "./plan-usage.module.css";

function isUsable({ unlimited, remainingDataGB }: PosEsim["plans"][number]): boolean {
  return unlimited || remainingDataGB > 0;
}

/** What a plan is, without the brand that stands above it. */
function titleOf(
  { description }: PosEsim["plans"][number],
  { brandName }: PosEsim,
  format: Format,
): string {
  const start = `${brandName} `;
  const title = description.startsWith(start) ? description.slice(start.length) : description;
  return format.contents(title);
}

/** What is left on an eSIM that was sold here, plan by plan. */
export function PlanUsage({ held }: { readonly held: PosEsim }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = useRef<HTMLElement>(null);
  useAnnouncedElement(said, held.iccid);
  return (
    <section ref={said} className={classes.usage} aria-label={t("counter.esim.usage")}>
      <p className={classes.head}>
        <strong>
          <bdi>{held.brandName}</bdi>
        </strong>
        {held.country ? ` · ${format.country(held.country)}` : null}
        <span className={stepClasses.quiet}>
          {" "}
          {t("counter.esim.soldAt", format.when(held.soldAt))}
          {" · "}
          {held.firstInstalledAt === ""
            ? t("counter.esim.notInstalled")
            : t("counter.esim.installed", format.when(held.firstInstalledAt))}
        </span>
      </p>
      {held.plans.some(isUsable) ? null : <p>{t("counter.esim.nothingLeft")}</p>}
      <ul className={classes.plans}>
        {held.plans.map((plan) => (
          <li key={`${plan.offerId} ${plan.startAt} ${plan.endAt}`} className={classes.plan}>
            <span className={classes.title}>{titleOf(plan, held, format)}</span>
            {plan.unlimited ? null : (
              <meter
                className={classes.meter}
                min={0}
                max={Math.max(plan.initialDataGB, 0.001)}
                value={plan.remainingDataGB}
                aria-label={titleOf(plan, held, format)}
              />
            )}
            <span>
              {plan.unlimited
                ? t("counter.dataUnlimited")
                : t("counter.esim.left", {
                    left: format.number(plan.remainingDataGB),
                    of: format.number(plan.initialDataGB),
                  })}
              {plan.endAt === "" ? null : ` · ${t("counter.esim.until", format.when(plan.endAt))}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
