import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { backupOperations } from "../../../../server/contract/pos/backup-operations.ts";
import type { BackupWorkInput, PosBackups } from "../../../../server/contract/pos/backups.ts";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { backupsQuery } from "../api/settings-queries.ts";
import { megabytes } from "../settings-rules.ts";
import { BackupOutcome } from "./backup-outcome.tsx";
import { AccessReview, RecoveryKitSection } from "./recovery-kit.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { SecondPlace } from "./second-place.tsx";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";

type Backup = PosBackups["list"][number];

/** Backups: made, verified, looked into, restored at the next start. */
export function BackupsView() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const backups = useQuery(backupsQuery());
  const [toRestore, setToRestore] = useState<Backup>();
  const work = useMutation({
    mutationFn: (body: BackupWorkInput) => call(backupOperations.work, { body }),
    onSuccess: (answer) => queryClient.setQueryData(backupsQuery().queryKey, answer),
  });
  const { data } = backups;
  const isBusy = work.isPending || data?.work?.state === "RUNNING";
  return (
    <>
      <p className={classes.hint}>
        {t("office.settings.backups.intro")} <bdi dir="ltr">{data?.dir}</bdi>
      </p>
      {data?.failure ? (
        <Notice tone="bad">{t("office.settings.backups.hourly", { reason: data.failure })}</Notice>
      ) : null}
      {data?.review ? <AccessReview review={data.review} /> : null}
      {data?.restore ? <AskedRestore restore={data.restore} /> : null}
      <div className={classes.buttons}>
        <Button loading={isBusy} onClick={() => work.mutate({ kind: "MAKE" })}>
          {t("office.settings.backups.now")}
        </Button>
      </div>
      <Trouble error={work.error} />
      {data?.work ? <BackupOutcome work={data.work} /> : null}
      <QueryTrouble query={backups} />
      {backups.isPending ? <Skeleton height="6rem" radius="md" /> : null}
      {data?.list.length === 0 ? <p>{t("office.settings.backups.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.backups.list")}>
        {data?.list.map((backup) => (
          <BackupRow
            key={backup.name}
            backup={backup}
            busy={isBusy}
            onWork={(kind) => work.mutate({ kind, name: backup.name })}
            onRestore={() => setToRestore(backup)}
          />
        ))}
      </ul>
      {data ? <RecoveryKitSection kit={data.kit} /> : null}
      {data ? <SecondPlace key={data.second?.dir} second={data.second} /> : null}
      {toRestore ? (
        <RestoreDialog backup={toRestore} onClose={() => setToRestore(undefined)} />
      ) : null}
    </>
  );
}

interface BackupRowProps {
  readonly backup: Backup;
  readonly busy: boolean;
  readonly onWork: (kind: "VERIFY" | "LOOK") => void;
  readonly onRestore: () => void;
}

function BackupRow({ backup, busy, onWork, onRestore }: BackupRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, takenAt, sizeBytes } = backup;
  const spoken = (what: string) => t("office.settings.backups.of", { what, name });
  const verify = t("office.settings.backups.verify");
  const look = t("office.settings.backups.look");
  const restore = t("office.settings.backups.restore");
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <span className={classes.name}>
          {format.moment(takenAt)} · {format.age(takenAt)}
        </span>
        <bdi className={classes.small} dir="ltr">
          {name} · {format.number(megabytes(sizeBytes))} MB
        </bdi>
      </span>
      <span className={classes.buttons}>
        <Button
          variant="default"
          disabled={busy}
          aria-label={spoken(verify)}
          onClick={() => onWork("VERIFY")}
        >
          {verify}
        </Button>
        <Button
          variant="default"
          disabled={busy}
          aria-label={spoken(look)}
          onClick={() => onWork("LOOK")}
        >
          {look}
        </Button>
        <Button variant="default" aria-label={spoken(restore)} onClick={onRestore}>
          {restore}
        </Button>
      </span>
    </li>
  );
}

/** What the next start restores, or why the last did not. */
function AskedRestore({ restore }: { readonly restore: NonNullable<PosBackups["restore"]> }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { name, failure } = restore;
  const withdraw = useMutation({
    mutationFn: () => call(backupOperations.withdrawRestore),
    onSuccess: (answer) => queryClient.setQueryData(backupsQuery().queryKey, answer),
  });
  return (
    <Notice tone={failure === undefined ? "wait" : "bad"}>
      <p>
        {failure === undefined
          ? t("office.settings.backups.waits", { name })
          : t("office.settings.backups.notRestored", { name, reason: failure })}
      </p>
      <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t(failure === undefined ? "office.settings.backups.withdraw" : "common.close")}
      </Button>
    </Notice>
  );
}
