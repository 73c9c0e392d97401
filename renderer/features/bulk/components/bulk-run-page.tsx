import {
  Button,
  Checkbox,
  Progress,
  SegmentedControl,
  Select,
  Skeleton,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type BulkLine,
  type BulkLinesQuery,
  type BulkRun,
  bulkOperations,
} from "../../../../server/contract/pos/bulk-runs.ts";
import { FIRST_TENDERS, type ShopTender } from "../../../../server/contract/pos/shop-tenders.ts";
import { BackButton } from "../../../components/back-button.tsx";
import { Form } from "../../../components/form.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { BULK_ANSWERS, bulkLinesQuery, bulkRunQuery } from "../api/bulk-queries.ts";
import { bulkErrorWords, faultWords, warningWords } from "../bulk-words.ts";
import classes from "./bulk.module.css";
import { BulkProgress, Facts } from "./bulk-progress.tsx";

const CASH = "CASH";
/** Maximum number of tenders with a button each. More tenders are shown as a list. */
const MOST_SIDE_BY_SIDE = 3;
const LONGEST_REFERENCE = 64;

interface BulkRunPageProps {
  readonly runId: string;
  readonly mayReveal: boolean;
  readonly environment: Environment;
  readonly onOpen: (runId: string) => void;
  readonly onBack: () => void;
}

export function BulkRunPage({ runId, onBack, ...rest }: BulkRunPageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: run, error } = useQuery(bulkRunQuery(runId));
  return (
    <OfficeScreen
      title={t("office.frame.section.bulk")}
      actions={<BackButton onClick={onBack}>{t("office.bulk.back")}</BackButton>}
      isSheet
    >
      {error && !run ? <ErrorNotice words={bulkErrorWords(error, t, format)} /> : null}
      {!run && !error ? <Skeleton height="12rem" radius="md" /> : null}
      {run ? <Run run={run} {...rest} /> : null}
    </OfficeScreen>
  );
}

interface RunProps extends Pick<BulkRunPageProps, "mayReveal" | "environment" | "onOpen"> {
  readonly run: BulkRun;
}

function Run({ run, mayReveal, environment, onOpen }: RunProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className="row wrap gap-3 size-label break-anywhere">
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
      {run.state === "CHECKING" ? null : (
        // The height of the notices above the table depends on the state. The new key replaces the
        // table, because otherwise it would shift.
        <BulkLineTable key={`${run.state} ${run.faulty}`} run={run} />
      )}
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
    <div className="section stack gap-3 min-w-0" role="status">
      <p>{words}</p>
      <Progress value={(100 * done) / Math.max(1, run.lines)} aria-label={words} size="lg" />
    </div>
  );
}

interface BulkConfirmProps {
  readonly run: BulkRun;
  readonly onOpen: (runId: string) => void;
}

function BulkConfirm({ run, onOpen }: BulkConfirmProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ready, wallet, faulty, warned, soldBefore } = run;
  const shop = (amount: number) => format.money(amount, run.currency, run.currencyDivisor);
  const held = (amount: number) => format.money(amount, wallet.currency, wallet.currencyDivisor);
  return (
    <>
      <Facts
        facts={[
          { name: t("office.bulk.facts.right"), value: format.number(ready.lines), tone: "good" },
          {
            name: t("office.bulk.facts.faulty"),
            value: format.number(faulty),
            tone: faulty > 0 ? "bad" : "ink",
          },
          {
            name: t("office.bulk.facts.warned"),
            value: format.number(warned),
            tone: warned > 0 ? "wait" : "ink",
          },
          { name: t("office.bulk.facts.price"), value: shop(ready.price) },
          { name: t("office.bulk.facts.cost"), value: held(ready.cost) },
          { name: t("office.bulk.facts.wallet"), value: held(wallet.spendable) },
        ]}
      />
      {faulty > 0 ? <Notice tone="bad">{t("office.bulk.mend")}</Notice> : null}
      {wallet.shortBy > 0 ? (
        <Notice tone="stop">
          {t("office.bulk.confirm.short", { amount: held(wallet.shortBy) })}
        </Notice>
      ) : null}
      {soldBefore ? (
        <Notice tone="stop">
          {t("office.bulk.confirm.before", {
            name: soldBefore.name,
            time: format.moment(soldBefore.confirmedAt),
          })}{" "}
          <Button variant="default" onClick={() => onOpen(soldBefore.runId)}>
            {t("office.bulk.confirm.openRun")}
          </Button>
        </Notice>
      ) : null}
      {ready.lines > 0 ? <ConfirmForm run={run} total={shop(ready.price)} /> : null}
    </>
  );
}

function ConfirmForm({ run, total }: { readonly run: BulkRun; readonly total: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tenders = useTenders();
  const [tenderId, setTender] = useState<string>(CASH);
  const [reference, setReference] = useState("");
  const [onlyRight, setOnlyRight] = useState(false);
  const [acceptWarnings, setAcceptWarnings] = useState(false);
  const [sellAgain, setSellAgain] = useState(false);
  const { runId, ready, faulty, warned, soldBefore, wallet } = run;
  const isComplete =
    (faulty === 0 || onlyRight) &&
    (warned === 0 || acceptWarnings) &&
    (!soldBefore || sellAgain) &&
    wallet.shortBy === 0;
  const confirm = useConfirm();
  return (
    <Form
      className="section stack gap-3 min-w-0"
      onSubmit={() => {
        if (isComplete && !confirm.isPending) {
          confirm.mutate({
            params: { runId },
            body: {
              ...paidBy(tenders, tenderId, reference),
              total: ready.price,
              onlyRight,
              acceptWarnings,
              ...(soldBefore && { sellAgain }),
            },
          });
        }
      }}
    >
      <Payment
        tenders={tenders}
        tenderId={tenderId}
        onTender={setTender}
        reference={reference}
        onReference={setReference}
      />
      <Agreements
        run={run}
        onlyRight={onlyRight}
        onOnlyRight={setOnlyRight}
        acceptWarnings={acceptWarnings}
        onAcceptWarnings={setAcceptWarnings}
      />
      {soldBefore ? (
        <Checkbox
          size="md"
          className="tick"
          label={t("office.bulk.confirm.sellAgain")}
          checked={sellAgain}
          onChange={({ currentTarget }) => setSellAgain(currentTarget.checked)}
        />
      ) : null}
      {confirm.error ? <ErrorNotice words={bulkErrorWords(confirm.error, t, format)} /> : null}
      <div className="row wrap gap-3">
        <Button type="submit" size="md" disabled={!isComplete} loading={confirm.isPending}>
          {t("office.bulk.confirm.submit", { number: format.number(ready.lines), amount: total })}
        </Button>
      </div>
    </Form>
  );
}

function paidBy(tenders: readonly ShopTender[], tenderId: string, typed: string) {
  const tender = tenders.find((one) => one.tenderId === tenderId)?.kind ?? CASH;
  const reference = typed.trim();
  return { tender, tenderId, ...(tender !== CASH && reference !== "" && { reference }) };
}

function useTenders(): readonly ShopTender[] {
  const { data: status } = useQuery(statusQuery());
  return (status?.tenders ?? FIRST_TENDERS).filter(({ offered }) => offered);
}

interface PaymentProps {
  readonly tenders: readonly ShopTender[];
  readonly tenderId: string;
  readonly onTender: (tenderId: string) => void;
  readonly reference: string;
  readonly onReference: (reference: string) => void;
}

function Payment({ tenders, tenderId, onTender, reference, onReference }: PaymentProps) {
  const { t } = useTranslation();
  const choices = tenders.map(({ tenderId, kind, name }) => ({
    value: tenderId,
    label: name ?? t(`office.bulk.tender.${kind}`),
  }));
  return (
    <>
      <fieldset>
        <legend className={classes.label}>{t("office.bulk.confirm.tender")}</legend>
        {choices.length > MOST_SIDE_BY_SIDE ? (
          <Select
            aria-label={t("office.bulk.confirm.tender")}
            allowDeselect={false}
            data={choices}
            value={tenderId}
            onChange={(value) => (value === null ? undefined : onTender(value))}
          />
        ) : (
          <SegmentedControl data={choices} value={tenderId} onChange={onTender} />
        )}
      </fieldset>
      {tenderId === CASH ? null : (
        <TextInput
          label={t("office.bulk.confirm.reference")}
          maxLength={LONGEST_REFERENCE}
          autoComplete="off"
          dir="auto"
          value={reference}
          onChange={({ currentTarget }) => onReference(currentTarget.value)}
        />
      )}
    </>
  );
}

interface AgreementsProps {
  readonly run: BulkRun;
  readonly onlyRight: boolean;
  readonly onOnlyRight: (onlyRight: boolean) => void;
  readonly acceptWarnings: boolean;
  readonly onAcceptWarnings: (acceptWarnings: boolean) => void;
}

function Agreements({
  run: { ready, faulty, warned, lines },
  onlyRight,
  onOnlyRight,
  acceptWarnings,
  onAcceptWarnings,
}: AgreementsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {faulty > 0 ? (
        <Checkbox
          size="md"
          className="tick"
          label={t("office.bulk.confirm.onlyRight", {
            number: format.number(ready.lines),
            all: format.number(lines),
          })}
          checked={onlyRight}
          onChange={({ currentTarget }) => onOnlyRight(currentTarget.checked)}
        />
      ) : null}
      {warned > 0 ? (
        <Checkbox
          size="md"
          className="tick"
          label={t("office.bulk.confirm.accept", { number: format.number(warned) })}
          checked={acceptWarnings}
          onChange={({ currentTarget }) => onAcceptWarnings(currentTarget.checked)}
        />
      ) : null}
    </>
  );
}

function useConfirm() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Parameters<typeof call<typeof bulkOperations.confirm>>[1]) =>
      call(bulkOperations.confirm, input),
    onSettled: () => invalidateAnswers(queryClient, BULK_ANSWERS),
  });
}

type Shown = BulkLinesQuery["show"];

const PAGE = 50;

function BulkLineTable({ run }: { readonly run: BulkRun }) {
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
