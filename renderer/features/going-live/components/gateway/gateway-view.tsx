import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { useFormat } from "../../../../lib/use-format.ts";
import { gatewayQuery } from "../../api/gateway-queries.ts";
import { CatalogSection } from "./catalog-section.tsx";
import { ConnectionSection } from "./connection-section.tsx";
import classes from "./gateway.module.css";
import { HookSection } from "./hook-section.tsx";
import { WalletSection } from "./wallet-section.tsx";

/** The provider of live sales: its connection, its offers, the money there, and its messages. */
export function GatewayView() {
  const { t } = useTranslation();
  const query = useQuery(gatewayQuery());
  const { data: gateway } = query;
  if (!gateway) {
    return query.isPending ? (
      <div role="status" aria-busy="true" aria-label={t("common.loading")}>
        <Skeleton height="8rem" radius="md" />
      </div>
    ) : (
      <QueryTrouble query={query} />
    );
  }
  return (
    <>
      <ConnectionSection key={String(gateway.connected)} gateway={gateway} />
      {gateway.connected ? (
        <>
          <CatalogSection gateway={gateway} />
          <DeviationSection gateway={gateway} />
          <WalletSection gateway={gateway} />
          <HookSection gateway={gateway} />
        </>
      ) : null}
    </>
  );
}

interface DeviationSectionProps {
  readonly gateway: UpstreamState;
}

/** Fields of the provider's answers that were missing or could not be read, with the latest sale. */
function DeviationSection({ gateway }: DeviationSectionProps) {
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
