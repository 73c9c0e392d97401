import { Button, FileButton, Progress } from "@mantine/core";
import { IconDownload, IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  type CatalogImport,
  LARGEST_CATALOG_FILE,
} from "../../../../server/contract/pos/catalog-imports.ts";
import { CatalogDifference } from "../../../components/catalog-difference.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { catalogFileAddress } from "../api/catalog-import-queries.ts";
import { useCatalogImport } from "../use-catalog-import.ts";
import classes from "./catalog-file.module.css";

const MEGABYTE = 1024 * 1024;

export function CatalogFile({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  return (
    <>
      <section className="section stack gap-3" aria-labelledby="catalog-out">
        <h2 id="catalog-out" className="size-label">
          {t("office.catalog.file.out")}
        </h2>
        <p className={classes.soft}>{t("office.catalog.file.outHint")}</p>
        <div className="flex wrap gap-3">
          <Button
            component="a"
            href={catalogFileAddress(environment)}
            download
            variant="default"
            leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
          >
            {t("office.catalog.file.save")}
          </Button>
        </div>
      </section>
      <FileIn environment={environment} />
    </>
  );
}

function FileIn({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const format = useFormat();
  const taking = useCatalogImport(environment);
  const [tooLarge, setTooLarge] = useState<File>();
  const { state, isSending, error } = taking;
  const most = format.number(LARGEST_CATALOG_FILE / MEGABYTE);
  const isBusy =
    isSending || state?.import?.state === "CHECKING" || state?.import?.state === "WRITING";
  const choose = (file: File | null) => {
    const fits = file && file.size > 0 && file.size <= LARGEST_CATALOG_FILE;
    setTooLarge(file && !fits ? file : undefined);
    if (fits) taking.send(file);
  };
  return (
    <section className="section stack gap-3" aria-labelledby="catalog-in">
      <h2 id="catalog-in" className="size-label">
        {t("office.catalog.file.in")}
      </h2>
      {state?.fromProvider ? (
        <Notice tone="info">{t("office.catalog.file.provider")}</Notice>
      ) : (
        <>
          <p className={classes.soft}>{t("office.catalog.file.inHint", { most })}</p>
          <p className={classes.soft}>{t("office.catalog.file.inNext")}</p>
          {isBusy ? null : (
            <div className="flex wrap gap-3">
              <FileButton onChange={choose} accept=".json,application/json">
                {(props) => (
                  <Button
                    {...props}
                    variant={state?.import ? "default" : "filled"}
                    leftSection={<IconFileUpload size="1.25rem" aria-hidden="true" />}
                  >
                    {t("office.catalog.file.choose")}
                  </Button>
                )}
              </FileButton>
            </div>
          )}
          {tooLarge ? (
            <Notice tone="bad" loud>
              {t("office.catalog.file.tooLarge", { name: tooLarge.name, most })}
            </Notice>
          ) : null}
          {error ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
          {state?.import ? <CatalogImportView file={state.import} {...taking} /> : null}
        </>
      )}
    </section>
  );
}

interface CatalogImportViewProps {
  readonly file: CatalogImport;
  readonly isSending: boolean;
  readonly isTaking: boolean;
  readonly take: (importId: string) => void;
  readonly leave: () => void;
}

function CatalogImportView(props: CatalogImportViewProps) {
  const { t } = useTranslation();
  const { file, isSending, isTaking, take, leave } = props;
  const { name, state, difference } = file;
  if (state === "READY" && difference) {
    return (
      <CatalogDifference
        title={t("office.catalog.file.ready", { name })}
        difference={difference}
        isTaking={isTaking}
        onTake={() => take(file.importId)}
      >
        <Button variant="default" disabled={isTaking} onClick={leave}>
          {t("common.cancel")}
        </Button>
      </CatalogDifference>
    );
  }
  if (state === "FAULTY") {
    return <Faults file={file} />;
  }
  if (state === "SAME") {
    return <Notice tone="info">{t("office.catalog.file.same", { name })}</Notice>;
  }
  if (state === "DONE") {
    return <Notice tone="info">{t("office.catalog.file.done", { name })}</Notice>;
  }
  if (state === "FAILED") {
    return (
      <Notice tone="bad" loud>
        {t("office.catalog.file.failed", { name })}{" "}
        <small lang="en" dir="ltr">
          {file.failure}
        </small>
      </Notice>
    );
  }
  if (state === "RECEIVING" && !isSending) {
    return <Notice tone="wait">{t("office.catalog.file.cut", { name })}</Notice>;
  }
  return <Underway file={file} onLeave={leave} />;
}

function Underway({
  file,
  onLeave,
}: {
  readonly file: CatalogImport;
  readonly onLeave: () => void;
}) {
  const { t } = useTranslation();
  const { name, state, receivedBytes, bytes, written = 0 } = file;
  const step = state === "WRITING" || state === "CHECKING" ? state : "RECEIVING";
  const words = t(`office.catalog.file.underway.${step}`, { name });
  const part = { RECEIVING: receivedBytes / bytes, CHECKING: 1, WRITING: written }[step];
  return (
    <div className="stack gap-3 pad-4 bordered round">
      <strong role="status">{words}</strong>
      <Progress value={100 * part} animated={step === "CHECKING"} aria-label={words} size="lg" />
      <div className="flex wrap gap-3">
        <Button variant="default" onClick={onLeave}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

function Faults({ file }: { readonly file: CatalogImport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, faults = [], faultCount = 0 } = file;
  return (
    <div className="stack gap-3">
      <Notice tone="bad" loud>
        {t("office.catalog.file.faulty", { name, number: format.number(faultCount) })}
      </Notice>
      <ol className={classes.faultList}>
        {faults.map(({ line, field, message }) => (
          <li key={`${line} ${field} ${message}`}>
            {line === undefined ? null : (
              <strong>{t("office.catalog.file.line", { number: format.number(line) })}</strong>
            )}
            <span className="soft text-start" lang="en" dir="ltr">
              {field === "" ? null : <code className="ink medium">{field}</code>} {message}
            </span>
          </li>
        ))}
      </ol>
      {faultCount > faults.length ? (
        <p className={classes.soft}>
          {t("office.catalog.file.more", { number: format.number(faultCount - faults.length) })}
        </p>
      ) : null}
    </div>
  );
}
