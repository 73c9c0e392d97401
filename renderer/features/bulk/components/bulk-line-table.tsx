import { Button, SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  BulkLine,
  BulkLinesQuery,
  BulkRun,
} from "../../../../server/contract/pos/bulk-runs.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { bulkLinesQuery } from "../api/bulk-queries.ts";
import { bulkErrorWords, faultWords, warningWords } from "../bulk-words.ts";
import classes from "./bulk.module.css";

type Shown = BulkLinesQuery["show"];

const PAGE = 50;

export function BulkLineTable({ run }: { readonly run: BulkRun }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isConfirmed = run.confirmedAt !== undefined;
  const kinds: readonly Shown[] = isConfirmed
    ? ["ALL", "NOT_DELIVERED"]
    : ["ALL", "FAULTS", "WARNINGS"];
  const [show, setShow] = useState<Shown>(!isConfirmed && run.faulty > 0 ? "FAULTS" : "ALL");
  const [offset, setOffset] = useState(0);
  const shown = kinds.includes(show) ? show : "ALL";
  const { delivered, notDelivered, sending, ready } = run;
  const version = [run.state, ready.lines, delivered.lines, notDelivered.lines, sending.lines];
  const query = { show: shown, limit: PAGE, offset };
  const { data, error } = useQuery(bulkLinesQuery(run.runId, query, version.join(" ")));
  return (
    <section className="section stack gap-3 min-w-0" aria-labelledby="bulk-lines">
      <div className={classes.head}>
        <h2 id="bulk-lines" className="size-label">
          {t("office.bulk.lines")}
        </h2>
        <SegmentedControl
          aria-labelledby="bulk-lines"
          data={kinds.map((kind) => ({ value: kind, label: t(`office.bulk.show.${kind}`) }))}
          value={shown}
          onChange={(value) => {
            setShow(value);
            setOffset(0);
          }}
        />
      </div>
      {error && !data ? <ErrorNotice words={bulkErrorWords(error, t, format)} /> : null}
      {data?.total === 0 ? <p className={classes.soft}>{t("office.bulk.noLines")}</p> : null}
      {data && data.total > 0 ? <Rows run={run} lines={data.list} /> : null}
      {data && data.total > PAGE ? (
        <div className="row wrap gap-3">
          <Button
            variant="default"
            disabled={offset === 0}
            onClick={() => setOffset(offset - PAGE)}
          >
            {t("office.bulk.page.before")}
          </Button>
          <span className={classes.soft}>
            {t("office.bulk.page.here", {
              from: format.number(offset + 1),
              to: format.number(Math.min(offset + PAGE, data.total)),
              all: format.number(data.total),
            })}
          </span>
          <Button
            variant="default"
            disabled={offset + PAGE >= data.total}
            onClick={() => setOffset(offset + PAGE)}
          >
            {t("office.bulk.page.after")}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function Rows({ run, lines }: { readonly run: BulkRun; readonly lines: readonly BulkLine[] }) {
  const { t } = useTranslation();
  return (
    <table className={classes.lines} aria-labelledby="bulk-lines">
      <thead>
        <tr>
          <th scope="col">{t("office.bulk.line.line")}</th>
          <th scope="col">{t("office.bulk.line.product")}</th>
          <th scope="col">{t("office.bulk.line.recipient")}</th>
          <th scope="col" className={classes.amount}>
            {t("office.bulk.line.price")}
          </th>
          <th scope="col">{t("office.bulk.line.state")}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row key={line.line} run={run} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ run, line }: { readonly run: BulkRun; readonly line: BulkLine }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { price, priceNow = price } = line;
  return (
    <tr data-state={line.state}>
      <th scope="row">
        <span className={classes.cellName}>{t("office.bulk.line.line")}</span>{" "}
        {format.number(line.line)}
      </th>
      <td className="break-anywhere">
        <bdi>{line.title}</bdi>
        {line.note === "" ? null : (
          <div className={classes.soft}>
            <bdi>{line.note}</bdi>
          </div>
        )}
      </td>
      <td>
        <bdi dir="ltr">{line.recipientFormatted}</bdi>
      </td>
      <td className={classes.amount}>
        {priceNow === undefined ? "" : format.money(priceNow, run.currency, run.currencyDivisor)}
      </td>
      <td>
        <LineState line={line} />
      </td>
    </tr>
  );
}

function LineState({ line }: { readonly line: BulkLine }) {
  const { t } = useTranslation();
  if (line.outcome) {
    return <OutcomeBadge outcome={line.outcome} />;
  }
  const faults = line.faults.map((fault) => faultWords(fault, t));
  const warnings = line.state === "READY" ? line.warnings.map((one) => warningWords(one, t)) : [];
  return (
    <>
      {faults.length + warnings.length === 0 ? (
        <span className={classes.soft}>{t(`office.bulk.lineState.${line.state}`)}</span>
      ) : null}
      {faults.map((words) => (
        <p key={words} className="bad break-anywhere">
          {words}
        </p>
      ))}
      {warnings.map((words) => (
        <p key={words} className="wait break-anywhere">
          {words}
        </p>
      ))}
      {line.refusal ? (
        <p className={classes.soft} lang="en" dir="ltr">
          {line.refusal.message}
        </p>
      ) : null}
    </>
  );
}
