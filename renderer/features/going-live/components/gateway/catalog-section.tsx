import { Button, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import type { WaitingCatalog } from "../../../../../server/contract/pos/waiting-catalog.ts";
import { CatalogDifference } from "../../../../components/catalog-difference.tsx";
import { LeftOut } from "../../../../components/left-out.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import {
  acceptCatalog,
  fetchCatalog,
  GATEWAY_ANSWERS,
  setApproval,
  waitingCatalogQuery,
} from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

interface CatalogSectionProps {
  readonly gateway: UpstreamState;
}

/** The provider's offers: what the next catalog changes, read before it is sold by, and the last report. */
export function CatalogSection({ gateway }: CatalogSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data } = useQuery(waitingCatalogQuery());
  const onSuccess = () => invalidateAnswers(queryClient, GATEWAY_ANSWERS);
  const fetching = useMutation({ mutationFn: fetchCatalog, onSettled: onSuccess });
  const taking = useMutation({
    mutationFn: acceptCatalog,
    onSuccess: async () => {
      announce(t("office.live.catalog.taken"));
      await onSuccess();
    },
  });
  const approving = useMutation({ mutationFn: setApproval, onSuccess });
  const error = taking.error ?? fetching.error ?? approving.error;
  const isBusy = fetching.isPending || taking.isPending;
  return (
    <section className={classes.section} aria-labelledby="gateway-catalog">
      <h2 id="gateway-catalog" className={classes.legend}>
        {t("office.live.catalog.title")}
      </h2>
      <SyncReport gateway={gateway} />
      {error ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
      {data?.waiting ? (
        <WaitingView
          waiting={data.waiting}
          isTaking={taking.isPending}
          onTake={(fetchedAt) => taking.mutate(fetchedAt)}
        />
      ) : null}
      {fetching.isSuccess && !fetching.data.waiting && !data?.waiting && !isBusy ? (
        <Notice tone="info">{t("office.live.catalog.same")}</Notice>
      ) : null}
      <div className={classes.buttons}>
        <Button
          variant={data?.waiting ? "default" : "filled"}
          loading={fetching.isPending}
          disabled={taking.isPending}
          onClick={() => fetching.mutate()}
        >
          {t("office.live.catalog.fetch")}
        </Button>
      </div>
      <Switch
        label={t("office.live.catalog.approve")}
        description={t("office.live.catalog.approveHint")}
        checked={gateway.approvesCatalog}
        disabled={approving.isPending}
        onChange={({ currentTarget }) => approving.mutate(currentTarget.checked)}
      />
    </section>
  );
}

interface WaitingViewProps {
  readonly waiting: NonNullable<WaitingCatalog["waiting"]>;
  readonly isTaking: boolean;
  readonly onTake: (fetchedAt: string) => void;
}

/** What the fetched catalog would change. */
function WaitingView({ waiting, isTaking, onTake }: WaitingViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { fetchedAt, difference } = waiting;
  const said = difference.isFirst ? "office.live.catalog.first" : "office.live.catalog.waits";
  return (
    <CatalogDifference
      title={t(said, { time: format.moment(fetchedAt) })}
      difference={difference}
      isTaking={isTaking}
      onTake={() => onTake(fetchedAt)}
    />
  );
}

/** When the catalog in use was taken, what that changed, and what could not be. */
function SyncReport({ gateway }: CatalogSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { syncedAt, sync, syncFailure } = gateway;
  const sums = Object.values(sync?.sections ?? {});
  const sum = (name: "added" | "changed" | "removed") =>
    format.number(sums.reduce((total, section) => total + section[name], 0));
  return (
    <>
      {syncFailure ? (
        <Notice tone="bad">
          {t("office.live.catalog.failed", { time: format.moment(syncFailure.at) })}{" "}
          <small lang="en" dir="ltr">
            {syncFailure.message}
          </small>
        </Notice>
      ) : null}
      {syncedAt && sync ? (
        <p className={classes.soft}>
          {t("office.live.catalog.report", {
            time: format.moment(syncedAt),
            added: sum("added"),
            changed: sum("changed"),
            removed: sum("removed"),
          })}
        </p>
      ) : (
        <p className={classes.soft}>{t("office.live.catalog.none")}</p>
      )}
      {sync ? <LeftOut {...sync} /> : null}
    </>
  );
}
