import { Button, FileButton, Textarea } from "@mantine/core";
import { IconDownload, IconFileSpreadsheet } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  bulkOperations,
  LONGEST_BULK_TEXT,
  MOST_BULK_LINES,
} from "../../../../server/contract/pos/bulk-runs.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { call } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { BULK_ANSWERS } from "../api/bulk-queries.ts";
import { bulkErrorWords } from "../bulk-words.ts";
import { saveText } from "../save-text.ts";
import classes from "./bulk.module.css";
import { BulkRunPage } from "./bulk-run-page.tsx";

/** First bytes of workbook files (XLSX, XLS), which contain no text. */
const WORKBOOK_MARKS = [[0x50, 0x4b, 0x03, 0x04] as const, [0xd0, 0xcf, 0x11, 0xe0] as const];

/**
 * Decodes a table file as UTF-8, or as UTF-16 with a byte order mark. Other files have the code
 * page of spreadsheets: Windows-1256 for Arabic, Windows-1252 for other languages.
 */
export function readTableBytes(bytes: ArrayBuffer, language: string): string {
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 4));
  const isWorkbook = WORKBOOK_MARKS.some((mark) => mark.every((byte, at) => head[at] === byte));
  if (isWorkbook) return String.fromCharCode(...head);
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const codePage = /^ar\b/.test(language) ? "windows-1256" : "windows-1252";
    return new TextDecoder(codePage).decode(bytes);
  }
}

const EXAMPLE = [
  "offer,brand,amount,recipient,value,note",
  "TIGO_GT_TOPUP_25,,,+50251234567,,Night shift",
  ",Claro,50,3123 4567,,Office",
  "",
].join("\r\n");
const COLUMNS = ["offer", "brand", "amount", "recipient", "value", "note", "field"] as const;
const LONGEST_NAME = 120;
const SLOW_MS = 60_000;

/** The search parameter `run` is the id of the open run. */
export function BulkScreen({
  session,
  search,
  onSearch,
}: Pick<OfficeSectionProps, "session" | "search" | "onSearch">) {
  // Keeps the table while a run is open, so that the person can correct it later.
  const [typed, setTyped] = useState<TypedTable>({ name: "", text: "" });
  const { run } = search;
  const open = (runId: string) => onSearch({ run: runId });
  return run === undefined ? (
    <BulkStart typed={typed} onTyped={setTyped} onOpen={open} />
  ) : (
    <BulkRunPage
      key={run}
      runId={run}
      mayReveal={session.rights.reveal}
      environment={session.environment}
      onOpen={open}
      onBack={() => onSearch({})}
    />
  );
}

interface TypedTable {
  readonly name: string;
  readonly text: string;
}

interface BulkStartProps {
  readonly typed: TypedTable;
  readonly onTyped: (typed: TypedTable) => void;
  readonly onOpen: (runId: string) => void;
}

function BulkStart({ typed, onTyped, onOpen }: BulkStartProps) {
  const { t } = useTranslation();
  return (
    <OfficeScreen title={t("office.frame.section.bulk")} isSheet>
      <p className={classes.soft}>{t("office.bulk.lead")}</p>
      <TableForm typed={typed} onTyped={onTyped} onOpen={onOpen} />
      <Columns />
      <Runs onOpen={onOpen} />
    </OfficeScreen>
  );
}

function TableForm({ typed, onTyped, onOpen }: BulkStartProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const check = useCheck(onOpen);
  const take = async (file: File | null) => {
    if (file) {
      check.reset();
      onTyped({
        name: file.name.slice(0, LONGEST_NAME),
        text: readTableBytes(await file.arrayBuffer(), i18n.language),
      });
    }
  };
  const isTyped = typed.text.trim() !== "";
  const isTooLong = typed.text.length > LONGEST_BULK_TEXT;
  return (
    <form
      className="section stack gap-3 min-w-0"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !isTooLong && !check.isPending) {
          check.mutate(typed);
        }
      }}
    >
      <div className="row wrap gap-3">
        <FileButton
          onChange={(file) => void take(file)}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileSpreadsheet size="1.25rem" aria-hidden="true" />}
            >
              {t("office.bulk.choose")}
            </Button>
          )}
        </FileButton>
        {typed.name === "" ? null : <bdi className="break-anywhere">{typed.name}</bdi>}
      </div>
      <Textarea
        label={t("office.bulk.table")}
        description={t("office.bulk.tableHint", { most: format.number(MOST_BULK_LINES) })}
        dir="ltr"
        rows={5}
        spellCheck={false}
        classNames={{ input: classes.table ?? "" }}
        value={typed.text}
        error={isTooLong ? t("office.bulk.file.TOO_LARGE") : undefined}
        onChange={({ currentTarget }) => {
          check.reset();
          onTyped({ name: typed.name, text: currentTarget.value });
        }}
      />
      {check.error ? <ErrorNotice words={bulkErrorWords(check.error, t, format)} /> : null}
      <div className="row wrap gap-3">
        <Button type="submit" size="md" disabled={!isTyped || isTooLong} loading={check.isPending}>
          {t("office.bulk.check")}
        </Button>
      </div>
    </form>
  );
}

function useCheck(onOpen: (runId: string) => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, text }: TypedTable) =>
      call(bulkOperations.create, {
        body: { runId: newId(), name: name || t("office.bulk.pasted"), text },
        timeoutMs: SLOW_MS,
      }),
    onSuccess: async ({ runId }) => {
      await invalidateAnswers(queryClient, BULK_ANSWERS);
      onOpen(runId);
    },
  });
}

function Columns() {
  const { t } = useTranslation();
  return (
    <section className="section stack gap-3 min-w-0" aria-labelledby="bulk-columns">
      <div className={classes.head}>
        <h2 id="bulk-columns" className="size-label">
          {t("office.bulk.columns.title")}
        </h2>
        <Button
          variant="default"
          leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
          onClick={() => saveText("example.csv", EXAMPLE)}
        >
          {t("office.bulk.columns.example")}
        </Button>
      </div>
      <dl className={classes.columns}>
        {COLUMNS.map((column) => (
          <div key={column}>
            <dt className="medium">
              <code dir="ltr">{column === "field" ? "field.…" : column}</code>
            </dt>
            <dd className="soft">{t(`office.bulk.columns.${column}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Runs({ onOpen }: Pick<BulkStartProps, "onOpen">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error } = useQuery(operationQuery(bulkOperations.list));
  return (
    <section className="section stack gap-3 min-w-0" aria-labelledby="bulk-runs">
      <h2 id="bulk-runs" className="size-label">
        {t("office.bulk.runs.title")}
      </h2>
      {error && !data ? <ErrorNotice words={bulkErrorWords(error, t, format)} /> : null}
      {data?.list.length === 0 ? (
        <p className={classes.soft}>{t("office.bulk.runs.none")}</p>
      ) : null}
      <ul className="stack gap-2">
        {data?.list.map((run) => (
          <li key={run.runId}>
            <button type="button" className={classes.run} onClick={() => onOpen(run.runId)}>
              <strong>
                <bdi>{run.name}</bdi>
              </strong>
              <span className={classes.soft}>
                {format.moment(run.createdAt)} · <bdi>{run.staff}</bdi> ·{" "}
                {t("office.bulk.runs.lines", { number: format.number(run.lines) })}
              </span>
              <span className={classes.state} data-state={run.state}>
                {t(`office.bulk.state.${run.state}`)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
