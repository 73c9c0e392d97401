import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { gatewayQuery } from "../../api/gateway-queries.ts";
import { CatalogSection } from "./catalog-section.tsx";
import { ConnectionSection } from "./connection-section.tsx";
import { DeviationSection } from "./deviation-section.tsx";
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
