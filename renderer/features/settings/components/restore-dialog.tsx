import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { backupOperations } from "../../../../server/contract/pos/backup-operations.ts";
import type { PosBackups } from "../../../../server/contract/pos/backups.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { call } from "../../../lib/api-client.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { backupsQuery } from "../api/settings-queries.ts";
import classes from "./settings-screen.module.css";

interface RestoreDialogProps {
  readonly backup: PosBackups["list"][number];
  readonly onClose: () => void;
}

const SHORTEST_PIN = 4;

/** Says what a restore does, and asks for the owner's own PIN. */
export function RestoreDialog({ backup, onClose }: RestoreDialogProps) {
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
    <Dialog opened onClose={onClose} size="lg" title={t("office.settings.backups.ask", { name })}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (pin.length >= SHORTEST_PIN) {
            ask.mutate();
          }
        }}
      >
        <p>{t("office.settings.backups.says", { time: format.moment(takenAt) })}</p>
        {isUnsigned ? <Notice tone="stop">{t("restore.unsigned")}</Notice> : null}
        <PinField
          data-autofocus
          label={t("office.settings.backups.pin")}
          autoComplete="off"
          value={pin}
          onChange={({ currentTarget }) =>
            setPin(latinDigits(currentTarget.value).replaceAll(/\D/g, ""))
          }
        />
        {ask.error ? <ApprovalTrouble error={ask.error} person={session?.staff} /> : null}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            type="submit"
            color="red"
            loading={ask.isPending}
            disabled={pin.length < SHORTEST_PIN}
          >
            {t("office.settings.backups.do")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
