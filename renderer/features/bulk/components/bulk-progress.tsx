import { Button, Progress } from "@mantine/core";
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BulkRun, bulkOperations } from "../../../../server/contract/pos/bulk-runs.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { BULK_ANSWERS } from "../api/bulk-queries.ts";
import { bulkErrorWords } from "../bulk-words.ts";
import { saveText } from "../save-text.ts";
import classes from "./bulk.module.css";

interface BulkProgressProps {
  readonly run: BulkRun;
  readonly mayReveal: boolean;
}

const SLOW_MS = 120_000;

export function BulkProgress({ run, mayReveal }: BulkProgressProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { delivered, sending, notDelivered, ready, sold } = run;
  const shop = (amount: number) => format.money(amount, run.currency, run.currencyDivisor);
  const begun = sold.lines + run.refused;
  const all = begun + ready.lines + run.left;
  const words = t("office.bulk.progress.words", {
    done: format.number(begun),
    all: format.number(all),
    amount: shop(sold.price),
  });
  return (
    <section
      className="section stack gap-3 min-w-0"
      aria-label={t(`office.bulk.state.${run.state}`)}
    >
      <p role="status">{words}</p>
      <Progress value={(100 * begun) / Math.max(1, all)} aria-label={words} size="lg" />
      <Facts
        facts={[
          {
            name: t("office.bulk.progress.delivered"),
            value: format.number(delivered.lines),
            tone: "good",
          },
          { name: t("office.bulk.progress.sending"), value: format.number(sending.lines) },
          {
            name: t("office.bulk.progress.notDelivered"),
            value: format.number(notDelivered.lines),
            tone: notDelivered.lines > 0 ? "bad" : "ink",
          },
          {
            name: t("office.bulk.progress.notSold"),
            value: format.number(run.refused + run.left),
            tone: run.refused + run.left > 0 ? "wait" : "ink",
          },
          { name: t("office.bulk.progress.ready"), value: format.number(ready.lines) },
        ]}
      />
      {run.pause === undefined ? null : <Paused run={run} pause={run.pause} />}
      {notDelivered.lines > 0 ? (
        <Notice tone="wait">
          {t("office.bulk.progress.owed", { amount: shop(notDelivered.price) })}
        </Notice>
      ) : null}
      <Actions run={run} />
      <Results run={run} mayReveal={mayReveal} />
    </section>
  );
}

function Paused({
  run,
  pause,
}: {
  readonly run: BulkRun;
  readonly pause: NonNullable<BulkRun["pause"]>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { repriced, wallet } = run;
  const shop = (amount: number) => format.money(amount, run.currency, run.currencyDivisor);
  return (
    <Notice tone="wait" loud>
      <strong>{t(`office.bulk.pause.${pause}`)}</strong>{" "}
      {pause === "WALLET_SHORT"
        ? t("office.bulk.pause.short", {
            amount: format.money(wallet.shortBy, wallet.currency, wallet.currencyDivisor),
          })
        : null}
      {repriced
        ? t("office.bulk.pause.repriced", {
            number: format.number(repriced.lines),
            before: shop(repriced.before),
            now: shop(repriced.now),
          })
        : null}
    </Notice>
  );
}

type Action = "pause" | "resume" | "stop";

/**
 * Performs an action on the run. To resume, sends the displayed total, which the clerk confirms.
 */
function carryOut(action: Action, { runId, ready }: BulkRun): Promise<BulkRun> {
  const params = { runId };
  return action === "resume"
    ? call(bulkOperations.resume, { params, body: { total: ready.price } })
    : call(bulkOperations[action], { params });
}

function Actions({ run }: Pick<BulkProgressProps, "run">) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: (action: Action) => carryOut(action, run),
    onSettled: () => {
      setAsking(false);
      return invalidateAnswers(queryClient, BULK_ANSWERS);
    },
  });
  const isOpen = run.state === "RUNNING" || run.state === "PAUSED";
  return (
    <>
      {act.error ? <ErrorNotice words={bulkErrorWords(act.error, t, format)} /> : null}
      {isOpen ? (
        <div className="row wrap gap-3">
          {run.state === "RUNNING" ? (
            <Button
              variant="default"
              loading={act.isPending}
              leftSection={<IconPlayerPause size="1.25rem" aria-hidden="true" />}
              onClick={() => act.mutate("pause")}
            >
              {t("office.bulk.act.pause")}
            </Button>
          ) : (
            <Button
              loading={act.isPending}
              leftSection={<IconPlayerPlay size="1.25rem" aria-hidden="true" />}
              onClick={() => act.mutate("resume")}
            >
              {t("office.bulk.act.resume", {
                amount: format.money(run.ready.price, run.currency, run.currencyDivisor),
              })}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconPlayerStop size="1.25rem" aria-hidden="true" />}
            onClick={() => setAsking(true)}
          >
            {t("office.bulk.act.stop")}
          </Button>
        </div>
      ) : null}
      <Dialog
        opened={isAsking && isOpen}
        onClose={() => setAsking(false)}
        title={t("office.bulk.act.stopTitle")}
      >
        <div className="section stack gap-3 min-w-0">
          <p>{t("office.bulk.act.stopWhat", { number: format.number(run.ready.lines) })}</p>
          <div className="row wrap gap-3">
            <Button variant="default" onClick={() => setAsking(false)}>
              {t("common.cancel")}
            </Button>
            <Button variant="danger" loading={act.isPending} onClick={() => act.mutate("stop")}>
              {t("office.bulk.act.stop")}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

function Results({ run, mayReveal }: BulkProgressProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const results = useMutation({
    mutationFn: (reveal: boolean) =>
      call(bulkOperations.results, {
        params: { runId: run.runId },
        body: { reveal },
        timeoutMs: SLOW_MS,
      }),
    onSuccess: ({ fileName, text }) => saveText(fileName, text),
  });
  return (
    <>
      {results.error ? <ErrorNotice words={bulkErrorWords(results.error, t, format)} /> : null}
      <div className="row wrap gap-3">
        <Button
          variant="default"
          loading={results.isPending}
          leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
          onClick={() => results.mutate(false)}
        >
          {t("office.bulk.results.file")}
        </Button>
        {mayReveal ? (
          <Button
            variant="default"
            loading={results.isPending}
            leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
            onClick={() => results.mutate(true)}
          >
            {t("office.bulk.results.secrets")}
          </Button>
        ) : null}
      </div>
    </>
  );
}

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly tone?: "good" | "bad" | "wait" | "ink";
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, tone = "ink" }) => (
        <div key={name} className="stack gap-1 pad-3-4 frame">
          <dt className="soft size-caption">{name}</dt>
          <dd className={`size-label strong tabular ${tone}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
