import { Button, Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { CatalogImport } from "../../../../server/contract/pos/catalog-imports.ts";
import { CatalogDifference } from "../../../components/catalog-difference.tsx";
import { Notice } from "../../../components/notice.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./catalog-file.module.css";

interface CatalogImportViewProps {
  readonly file: CatalogImport;
  readonly isSending: boolean;
  readonly isTaking: boolean;
  readonly take: (importId: string) => void;
  readonly leave: () => void;
}

/** Where a file stands: on its way, at fault, waiting to be read, or taken. */
export function CatalogImportView(props: CatalogImportViewProps) {
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

/** It is being sent, checked or written. */
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
    <div className={classes.underway}>
      <strong role="status">{words}</strong>
      <Progress value={100 * part} animated={step === "CHECKING"} aria-label={words} size="lg" />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onLeave}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** What is wrong with a file: line, entry and field, in the gateway's words. */
function Faults({ file }: { readonly file: CatalogImport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, faults = [], faultCount = 0 } = file;
  return (
    <div className={classes.faults}>
      <Notice tone="bad" loud>
        {t("office.catalog.file.faulty", { name, number: format.number(faultCount) })}
      </Notice>
      <ol className={classes.faultList}>
        {faults.map(({ line, field, message }) => (
          <li key={`${line} ${field} ${message}`}>
            {line === undefined ? null : (
              <strong>{t("office.catalog.file.line", { number: format.number(line) })}</strong>
            )}
            <span lang="en" dir="ltr">
              {field === "" ? null : <code>{field}</code>} {message}
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
