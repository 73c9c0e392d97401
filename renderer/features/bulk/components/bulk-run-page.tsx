import { Button, Progress, Skeleton } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { BulkRun } from "../../../../server/contract/pos/bulk-runs.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { bulkRunQuery } from "../api/bulk-queries.ts";
import { bulkErrorWords } from "../bulk-words.ts";
import classes from "./bulk.module.css";
import { BulkConfirm } from "./bulk-confirm.tsx";
import { BulkLineTable } from "./bulk-line-table.tsx";
import { BulkProgress } from "./bulk-progress.tsx";

interface BulkRunPageProps {
  readonly runId: string;
  readonly mayReveal: boolean;
  readonly environment: Environment;
  readonly onOpen: (runId: string) => void;
  readonly onBack: () => void;
}

/** One run: being looked at, waiting to be confirmed, or being sold. */
export function BulkRunPage({ runId, onBack, ...rest }: BulkRunPageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: run, error } = useQuery(bulkRunQuery(runId));
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <div className={classes.head}>
          <h1 className={classes.title}>{t("office.bulk.title")}</h1>
          <Button
            variant="default"
            leftSection={<IconArrowLeft size="1.25rem" aria-hidden="true" />}
            onClick={onBack}
          >
            {t("office.bulk.back")}
          </Button>
        </div>
        {error && !run ? <ErrorNotice words={bulkErrorWords(error, t, format)} /> : null}
        {!run && !error ? <Skeleton height="12rem" radius="md" /> : null}
        {run ? <Run run={run} {...rest} /> : null}
      </div>
    </main>
  );
}

interface RunProps extends Pick<BulkRunPageProps, "mayReveal" | "environment" | "onOpen"> {
  readonly run: BulkRun;
}

function Run({ run, mayReveal, environment, onOpen }: RunProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.named}>
        <bdi>{run.name}</bdi>
        <span className={classes.state} data-state={run.state}>
          {t(`office.bulk.state.${run.state}`)}
        </span>
        {environment === "test" ? (
          <span className={classes.test}>{t("office.bulk.inTest")}</span>
        ) : null}
      </p>
      {run.state === "CHECKING" ? <Checking run={run} /> : null}
      {run.state === "CHECKED" ? <BulkConfirm run={run} onOpen={onOpen} /> : null}
      {run.confirmedAt === undefined ? null : <BulkProgress run={run} mayReveal={mayReveal} />}
      {run.state === "CHECKING" ? null : <BulkLineTable key={String(run.faulty)} run={run} />}
    </>
  );
}

function Checking({ run }: { readonly run: BulkRun }) {
  const { t } = useTranslation();
  const format = useFormat();
  const done = run.lines - run.unchecked;
  const words = t("office.bulk.checking", {
    done: format.number(done),
    all: format.number(run.lines),
  });
  return (
    <div className={classes.section} role="status">
      <p>{words}</p>
      <Progress value={(100 * done) / Math.max(1, run.lines)} aria-label={words} size="lg" />
    </div>
  );
}
