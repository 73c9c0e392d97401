import { Loader } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { BackupView, BackupWork } from "../../../../server/contract/pos/backups.ts";
import { Notice } from "../../../components/notice.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./settings-screen.module.css";

/** What is being done with a backup, or what came of it. */
export function BackupOutcome({ work }: { readonly work: BackupWork }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, state, name = "", failure = "", problems = [], outdated = false, view } = work;
  if (state === "RUNNING") {
    return (
      <p className={classes.buttons} role="status">
        <Loader size="sm" aria-hidden="true" />
        {t(`office.settings.backups.running.${kind}`, { name })}
      </p>
    );
  }
  if (state === "FAILED") {
    return (
      <Notice tone="bad" loud>
        {t("office.settings.backups.failed", { reason: failure })}
      </Notice>
    );
  }
  if (problems.length > 0) {
    return (
      <Notice tone="bad" loud>
        <strong>{t("office.settings.backups.bad", { name })}</strong> {problems.join("; ")}
      </Notice>
    );
  }
  return (
    <>
      <Notice tone="info" loud>
        {t(outdated ? "office.settings.backups.outdated" : "office.settings.backups.good", {
          name,
        })}
      </Notice>
      {work.about ? (
        <p>
          <strong>{work.about.shopName}</strong>{" "}
          {t("restore.about", {
            time: format.moment(work.about.takenAt),
            environment: t(work.about.environment === "live" ? "restore.live" : "restore.test"),
            engine: "SQLite",
          })}
        </p>
      ) : null}
      {work.isUnsigned ? <Notice tone="stop">{t("restore.unsigned")}</Notice> : null}
      {view ? <Inside view={view} /> : null}
    </>
  );
}

/** The figures of a backup, as they would be after it was restored. */
function Inside({ view: { wallets, sales, newestSale } }: { readonly view: BackupView }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <dl className={classes.facts}>
      <dt>{t("office.settings.backups.sales")}</dt>
      <dd>{format.number(sales)}</dd>
      {newestSale ? (
        <>
          <dt>{t("office.settings.backups.newest")}</dt>
          <dd>
            {t("audit.sale", { number: newestSale.saleNumber })} ·{" "}
            {format.moment(newestSale.createdAt)} ·{" "}
            {format.money(newestSale.total, newestSale.currency, newestSale.currencyDivisor)}
          </dd>
        </>
      ) : null}
      {wallets.map(({ environment, available, held, currency, currencyDivisor }) => (
        <Fragment key={environment}>
          <dt>
            {t("office.settings.backups.wallet", {
              environment: t(`office.settings.env.${environment}`),
            })}
          </dt>
          <dd>{format.money(available + held, currency, currencyDivisor)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
