import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { UpstreamComparison } from "../../../../server/contract/pos/upstream.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { compareNow, upstreamQuery, WALLET_ANSWERS } from "../api/wallet-queries.ts";
import classes from "./wallet.module.css";

/** Lists the compared amounts. A shop with several providers has their sum in its wallet. */
function listAmounts({ upstream, others, available, held, difference }: UpstreamComparison) {
  return [
    ["upstream", upstream] as const,
    ...(others === undefined ? [] : [["others", others] as const]),
    ["ours", available + held] as const,
    ["difference", difference] as const,
  ];
}

export function UpstreamCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const upstream = useQuery(upstreamQuery());
  const compare = useMutation({
    mutationFn: compareNow,
    onSettled: () => void invalidateAnswers(queryClient, WALLET_ANSWERS),
  });
  const { balance, connected } = upstream.data ?? {};
  return (
    <section className={classes.form} aria-labelledby="wallet-upstream">
      <h2 id="wallet-upstream" className="size-label">
        {t("office.wallet.upstream.title")}
      </h2>
      <QueryTrouble query={upstream} />
      {balance ? (
        <>
          <dl className={classes.compared}>
            {listAmounts(balance).map(([what, amount]) => (
              <div key={what}>
                <dt className="soft">{t(`office.wallet.upstream.${what}`)}</dt>
                <dd className="size-label strong tabular">
                  {format.money(amount, balance.currency, balance.currencyDivisor)}
                </dd>
              </div>
            ))}
          </dl>
          <Notice tone={balance.difference === 0 ? "info" : "wait"}>
            {t(`office.wallet.upstream.${balance.difference === 0 ? "same" : "differs"}`)}{" "}
            {t("office.wallet.upstream.at", { time: format.moment(balance.comparedAt) })}
          </Notice>
        </>
      ) : null}
      {connected === false ? (
        <p className="soft">{t("office.wallet.upstream.none")}</p>
      ) : (
        <Button
          variant="default"
          leftSection={<IconRefresh size="1.25rem" aria-hidden="true" />}
          loading={compare.isPending}
          onClick={() => compare.mutate()}
        >
          {t("office.wallet.upstream.again")}
        </Button>
      )}
      {compare.error ? <ErrorNotice words={errorWords(compare.error, t, format)} /> : null}
    </section>
  );
}
