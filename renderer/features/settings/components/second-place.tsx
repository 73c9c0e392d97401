import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  backupOperations,
  LONGEST_BACKUP_PLACE,
  type PosBackups,
} from "../../../../server/contract/pos/backups.ts";
import classes from "../../../components/form-page.module.css";
import { Notice } from "../../../components/notice.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { backupsQuery } from "../api/settings-queries.ts";
import { Trouble } from "./trouble.tsx";

const SLOW_MS = 60_000;

type Second = PosBackups["second"];

/** A second folder, which receives a copy of every backup. */
export function SecondPlace({ second }: { readonly second: Second }) {
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
    <form
      className={classes.form}
      aria-labelledby="second-place"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
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
    </form>
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
