import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import classes from "./gateway.module.css";

interface DeviationSectionProps {
  readonly gateway: UpstreamState;
}

/** Fields of the provider's answers that were missing or could not be read, with the latest sale. */
export function DeviationSection({ gateway }: DeviationSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { deviations = [] } = gateway;
  if (deviations.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="gateway-deviations">
      <h2 id="gateway-deviations" className={classes.legend}>
        {t("office.live.deviations.title")}
      </h2>
      <p className={classes.soft}>{t("office.live.deviations.intro")}</p>
      <ul>
        {deviations.map(({ provider, operation, field, kind, count, lastAt, lastReference }) => (
          <li key={`${provider} ${operation} ${field} ${kind}`}>
            <bdi dir="ltr">{field}</bdi> ({t(`office.live.deviations.kind.${kind}`)}) · {provider} ·{" "}
            {t("office.live.deviations.count", {
              number: format.number(count),
              time: format.moment(lastAt),
            })}{" "}
            <bdi dir="ltr">{lastReference}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
