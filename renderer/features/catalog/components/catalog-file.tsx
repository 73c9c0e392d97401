import { Button, FileButton } from "@mantine/core";
import { IconDownload, IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { LARGEST_CATALOG_FILE } from "../../../../server/contract/pos/catalog-imports.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { catalogFileAddress } from "../api/catalog-import-queries.ts";
import { useCatalogImport } from "../use-catalog-import.ts";
import classes from "./catalog-file.module.css";
import { CatalogImportView } from "./catalog-import-view.tsx";

const MEGABYTE = 1024 * 1024;

/** The catalog as a file: saved, and taken from one. */
export function CatalogFile({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  return (
    <>
      <section className={classes.section} aria-labelledby="catalog-out">
        <h2 id="catalog-out" className={classes.legend}>
          {t("office.catalog.file.out")}
        </h2>
        <p className={classes.soft}>{t("office.catalog.file.outHint")}</p>
        <div className={classes.buttons}>
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
    <section className={classes.section} aria-labelledby="catalog-in">
      <h2 id="catalog-in" className={classes.legend}>
        {t("office.catalog.file.in")}
      </h2>
      {state?.fromProvider ? (
        <Notice tone="info">{t("office.catalog.file.provider")}</Notice>
      ) : (
        <>
          <p className={classes.soft}>{t("office.catalog.file.inHint", { most })}</p>
          <p className={classes.soft}>{t("office.catalog.file.inNext")}</p>
          {isBusy ? null : (
            <div className={classes.buttons}>
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
