import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { latinDigits } from "../../../lib/direction.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import { endPilot, GOING_LIVE_ANSWERS } from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";

const SHORTEST_PIN = 4;

/** Lifts what keeps the first live sales small, with the owner's own PIN. */
export function PilotEndDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t("office.live.pilot.end")}>
      <PilotEndForm onClose={onClose} />
    </Dialog>
  );
}

function PilotEndForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const [pin, setPin] = useState("");
  const end = useMutation({
    mutationFn: () => endPilot(pin),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
    onError: () => setPin(""),
  });
  const isTyped = pin.length >= SHORTEST_PIN;
  return (
    <form
      className={classes.switch}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !end.isPending) {
          end.mutate();
        }
      }}
    >
      <p>{t("office.live.pilot.endWhat")}</p>
      <PinField
        data-autofocus
        label={t("goLive.ask.pin")}
        value={pin}
        onChange={({ currentTarget }) =>
          setPin(latinDigits(currentTarget.value).replaceAll(/\D/g, ""))
        }
        autoComplete="off"
      />
      {end.error ? <ApprovalTrouble error={end.error} person={session?.staff} /> : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" loading={end.isPending} disabled={!isTyped}>
          {t("office.live.pilot.end")}
        </Button>
      </div>
    </form>
  );
}
