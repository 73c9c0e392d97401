import { Button, Loader, Skeleton, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type BackupView,
  type BackupWork,
  type BackupWorkInput,
  backupOperations,
  LONGEST_BACKUP_PLACE,
  type PosBackups,
} from "../../../../server/contract/pos/backups.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { BackupFaultText } from "../../../components/backup-fault-text.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { gatewayNow } from "../../../lib/gateway-clock.ts";
import { readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { backupsQuery } from "../api/settings-queries.ts";
import { megabytes } from "../settings-rules.ts";
import own from "./backups-view.module.css";
import { AccessReview, RecoveryKitSection } from "./recovery-kit.tsx";

/** Hides content that still takes its room in a row. */
const HIDDEN = { display: "contents", visibility: "hidden" } as const;
/** Reserves the line of a text that has not arrived. */
const NO_BREAK_SPACE = "\u00a0";

type Backup = PosBackups["list"][number];

/** A chosen backup is restored at the next start. */
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
  const asked = work.isPending ? work.variables.kind : undefined;
  const kind = asked ?? data?.work?.kind;
  const isMaking = kind === "MAKE" && isBusy;
  return (
    <>
      <p className="soft">
        {t("office.settings.backups.intro")}
        <span className="block break-anywhere">
          <bdi dir="ltr">{data?.dir ?? NO_BREAK_SPACE}</bdi>
        </span>
      </p>
      {data?.failure ? (
        <Notice tone="bad">{t("office.settings.backups.hourly", { reason: data.failure })}</Notice>
      ) : null}
      {data?.review ? <AccessReview review={data.review} /> : null}
      {data?.restore ? <AskedRestore restore={data.restore} list={data.list} /> : null}
      <div className="flex wrap gap-3">
        <Button loading={isBusy} onClick={() => work.mutate({ kind: "MAKE" })}>
          {t("office.settings.backups.now")}
        </Button>
      </div>
      <Trouble error={work.error} />
      {kind ? (
        <div className={own.outcome} data-kind={kind}>
          {data?.work ? <BackupOutcome work={data.work} list={data.list} /> : null}
        </div>
      ) : null}
      <QueryTrouble query={backups} />
      {backups.isPending ? <Skeleton height="6rem" radius="md" /> : null}
      {data?.list.length === 0 && !isMaking ? <p>{t("office.settings.backups.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.backups.list")}>
        {/* Reserves the space of a backup as soon as the person starts it. */}
        {isMaking && data && !isListed(data, asked) ? (
          <li className={classes.row} inert>
            <span style={HIDDEN}>
              <BackupRow backup={toComing(data)} />
            </span>
          </li>
        ) : null}
        {data?.list.map((backup) => (
          <li key={backup.name} className={classes.row}>
            <BackupRow
              backup={backup}
              busy={isBusy}
              onWork={(kind) => work.mutate({ kind, name: backup.name })}
              onRestore={() => setToRestore(backup)}
            />
          </li>
        ))}
      </ul>
      {data ? <RecoveryKitSection kit={data.kit} draft={data.draftKit} /> : null}
      {data ? <SecondPlace key={data.second?.dir} second={data.second} /> : null}
      {toRestore ? (
        <RestoreDialog backup={toRestore} onClose={() => setToRestore(undefined)} />
      ) : null}
    </>
  );
}

function isListed({ list, work }: PosBackups, asked: BackupWork["kind"] | undefined): boolean {
  if (asked !== undefined || !work) return false;
  // The time in a backup's name has no fractions of a second.
  const began = Math.floor(Date.parse(work.beganAt) / 1000) * 1000;
  return list.some(({ takenAt }) => Date.parse(takenAt) >= began);
}

/** Returns a backup that is as tall on screen as the one that is being made. */
function toComing({ list }: PosBackups): Backup {
  return {
    name: "tillgate-20261120T120000Z.increment",
    takenAt: new Date(gatewayNow()).toISOString(),
    sizeBytes: list[0]?.sizeBytes ?? 0,
    isIncrement: list.length > 0,
  };
}

interface BackupRowProps {
  readonly backup: Backup;
  readonly busy?: boolean;
  readonly onWork?: (kind: "VERIFY" | "LOOK") => void;
  readonly onRestore?: () => void;
}

function BackupRow({ backup, busy = false, onWork, onRestore }: BackupRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, takenAt, sizeBytes, isIncrement } = backup;
  const spoken = (what: string) => t("office.settings.backups.of", { what, name });
  const verify = t("office.settings.backups.verify");
  const look = t("office.settings.backups.look");
  const restore = t("office.settings.backups.restore");
  return (
    <>
      <span className={classes.who}>
        <span className="strong">
          {format.moment(takenAt)} · {format.age(takenAt)}
        </span>
        <bdi className="soft size-caption" dir="ltr">
          {name} · {format.number(megabytes(sizeBytes))} MB
        </bdi>
        {isIncrement ? (
          <span className="soft size-caption">{t("office.settings.backups.increment")}</span>
        ) : null}
      </span>
      <span className="flex wrap gap-3">
        <Button
          variant="default"
          disabled={busy}
          aria-label={spoken(verify)}
          onClick={() => onWork?.("VERIFY")}
        >
          {verify}
        </Button>
        <Button
          variant="default"
          disabled={busy}
          aria-label={spoken(look)}
          onClick={() => onWork?.("LOOK")}
        >
          {look}
        </Button>
        <Button variant="default" aria-label={spoken(restore)} onClick={onRestore}>
          {restore}
        </Button>
      </span>
    </>
  );
}

/** Returns the time of a listed backup, by which owners know it, or else its file's name. */
function nameBackup(format: Format, list: readonly Backup[], name: string): string {
  const listed = list.find((backup) => backup.name === name);
  return listed ? format.moment(listed.takenAt) : name;
}

interface AskedRestoreProps {
  readonly restore: NonNullable<PosBackups["restore"]>;
  readonly list: readonly Backup[];
}

function AskedRestore({ restore, list }: AskedRestoreProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { failure, fault } = restore;
  const name = nameBackup(format, list, restore.name);
  const withdraw = useMutation({
    mutationFn: () => call(backupOperations.withdrawRestore),
    onSuccess: (answer) => queryClient.setQueryData(backupsQuery().queryKey, answer),
  });
  return (
    <Notice tone={failure === undefined ? "wait" : "bad"}>
      <div className="stack items-start gap-3">
        <p>
          {failure === undefined
            ? t("office.settings.backups.waits", { name })
            : t("office.settings.backups.notRestored", { name, reason: fault ? "" : failure })}
          {fault ? <BackupFaultText fault={fault} problems={[failure ?? ""]} /> : null}
        </p>
        <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {t(failure === undefined ? "office.settings.backups.withdraw" : "common.close")}
        </Button>
      </div>
    </Notice>
  );
}

interface BackupOutcomeProps {
  readonly work: BackupWork;
  readonly list: readonly Backup[];
}

function BackupOutcome({ work, list }: BackupOutcomeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, state, failure = "", problems = [], fault, outdated = false, view } = work;
  const name = nameBackup(format, list, work.name ?? "");
  if (state === "RUNNING") {
    return (
      <p className="flex wrap gap-3" role="status">
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
        <strong>{t("office.settings.backups.bad", { name })}</strong>{" "}
        {fault ? <BackupFaultText fault={fault} problems={problems} /> : problems.join("; ")}
      </Notice>
    );
  }
  return (
    <>
      <Notice tone="info" loud>
        {outdated
          ? t("office.settings.backups.outdated", { name })
          : t("office.settings.backups.good", { name })}
      </Notice>
      {work.about ? (
        <p>
          <strong>{work.about.shopName}</strong>{" "}
          {t("restore.about", {
            time: format.moment(work.about.takenAt),
            environment: t(work.about.environment === "live" ? "restore.live" : "restore.test"),
          })}
        </p>
      ) : null}
      {work.isUnsigned ? <Notice tone="stop">{t("restore.unsigned")}</Notice> : null}
      {view ? <Inside view={view} /> : null}
    </>
  );
}

function Inside({ view: { wallets, sales, newestSale } }: { readonly view: BackupView }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <dl className={classes.facts}>
      <dt>{t("office.settings.backups.sales")}</dt>
      <dd className="strong">{format.number(sales)}</dd>
      {newestSale ? (
        <>
          <dt>{t("office.settings.backups.newest")}</dt>
          <dd className="strong">
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
          <dd className="strong">{format.money(available + held, currency, currencyDivisor)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

interface RestoreDialogProps {
  readonly backup: PosBackups["list"][number];
  readonly onClose: () => void;
}

/** Needs the owner's PIN. */
function RestoreDialog({ backup, onClose }: RestoreDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const [pin, setPin] = useState("");
  const { name, takenAt, isUnsigned = false } = backup;
  const ask = useMutation({
    mutationFn: () =>
      call(backupOperations.askRestore, {
        body: { name, pin, ...(isUnsigned && { acceptUnsigned: true }) },
      }),
    onSuccess: (answer) => {
      queryClient.setQueryData(backupsQuery().queryKey, answer);
      onClose();
    },
    onError: () => setPin(""),
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t("office.settings.backups.ask", { name: format.moment(takenAt) })}
    >
      <Form
        className={classes.form}
        onSubmit={() => {
          if (pin.length >= SHORTEST_PIN) {
            ask.mutate();
          }
        }}
      >
        <p>{t("office.settings.backups.says")}</p>
        {isUnsigned ? <Notice tone="stop">{t("restore.unsigned")}</Notice> : null}
        <PinField
          data-autofocus
          label={t("office.settings.backups.pin")}
          autoComplete="off"
          value={pin}
          onChange={({ currentTarget }) => setPin(readPin(currentTarget.value))}
        />
        {ask.error ? <ApprovalTrouble error={ask.error} person={session?.staff} /> : null}
        <div className="flex justify-end gap-3">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            type="submit"
            variant="danger"
            loading={ask.isPending}
            disabled={pin.length < SHORTEST_PIN}
          >
            {t("office.settings.backups.do")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const SLOW_MS = 60_000;

type Second = PosBackups["second"];

/** A second folder, which receives a copy of every backup. */
function SecondPlace({ second }: { readonly second: Second }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(second?.dir ?? "");
  const onSuccess = (answer: PosBackups) =>
    queryClient.setQueryData(backupsQuery().queryKey, answer);
  const choose = useMutation({
    mutationFn: (dir: string) =>
      call(backupOperations.setSecond, { body: { dir }, timeoutMs: SLOW_MS }),
    onSuccess,
  });
  const leave = useMutation({
    mutationFn: () => call(backupOperations.removeSecond),
    onSuccess: (answer) => {
      setTyped("");
      onSuccess(answer);
    },
  });
  const refused = choose.error instanceof ApiError ? choose.error.fields.dir : undefined;
  const dir = typed.trim();
  return (
    <Form
      className={classes.form}
      aria-labelledby="second-place"
      onSubmit={() => {
        if (dir !== "") {
          choose.mutate(dir);
        }
      }}
    >
      <h3 id="second-place" className="strong">
        {t("office.settings.backups.second.title")}
      </h3>
      <p className="soft">{t("office.settings.backups.second.hint")}</p>
      {second ? <PlaceState second={second} /> : null}
      <FolderField
        typed={typed}
        refused={refused}
        onTyped={(text) => {
          choose.reset();
          setTyped(text);
        }}
      />
      <Trouble error={leave.error ?? (refused === undefined ? choose.error : null)} />
      <div className="flex wrap gap-3">
        <Button
          type="submit"
          variant="default"
          disabled={dir === "" || dir === second?.dir}
          loading={choose.isPending}
        >
          {t("office.settings.backups.second.choose")}
        </Button>
        {second ? (
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
            {t("office.settings.backups.second.leave")}
          </Button>
        ) : null}
      </div>
    </Form>
  );
}

interface FolderFieldProps {
  readonly typed: string;
  readonly refused: string | undefined;
  readonly onTyped: (typed: string) => void;
}

function FolderField({ typed, refused, onTyped }: FolderFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("office.settings.backups.second.folder")}
      placeholder="/mnt/stick/tillgate"
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      maxLength={LONGEST_BACKUP_PLACE}
      value={typed}
      error={
        refused === undefined
          ? undefined
          : t("office.settings.backups.second.refused", { reason: refused })
      }
      onChange={({ currentTarget }) => onTyped(currentTarget.value)}
    />
  );
}

function PlaceState({ second }: { readonly second: NonNullable<Second> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { copiedAt, missing, problem } = second;
  if (problem) {
    const { kind, message, at } = problem;
    return (
      <Notice tone="bad">
        {t(`office.settings.backups.second.problem.${kind}`, {
          time: format.moment(at),
          number: format.number(missing),
        })}{" "}
        {kind === "AWAY" ? null : (
          <small lang="en" dir="ltr">
            {message}
          </small>
        )}
      </Notice>
    );
  }
  return (
    <Notice tone="info">
      {copiedAt
        ? t("office.settings.backups.second.good", { time: format.moment(copiedAt) })
        : t("office.settings.backups.second.soon")}
    </Notice>
  );
}
