import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TillState } from "../../../../server/contract/pos/till-environment.ts";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { FormButtons } from "../../../components/dialog/form-buttons.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { latinDigits } from "../../../lib/direction.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { endPilot, GOING_LIVE_ANSWERS, movePilot } from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";

const SHORTEST_PIN = 4;

export function PilotSection({ state }: { readonly state: TillState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isEnding, setEnding] = useState(false);
  const move = useMutation({
    mutationFn: movePilot,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await invalidateAnswers(queryClient, GOING_LIVE_ANSWERS);
    },
  });
  const { pilot, currency, currencyDivisor } = state;
  if (!pilot) {
    return null;
  }
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const name = pilot.till || pilot.chosenBy;
  return (
    <section className={classes.card} aria-labelledby="live-pilot">
      <h2 id="live-pilot" className="ink size-body tracking-0">
        {t("office.live.pilot.title")}
      </h2>
      <p>
        {t("office.live.pilot.what", {
          sale: money(pilot.mostPerSale),
          day: money(pilot.mostPerDay),
          good: format.number(pilot.goodSales),
          needed: format.number(pilot.needed),
        })}{" "}
        {pilot.isHere ? t("office.live.pilot.isHere") : t("office.live.pilot.isThere", { name })}
      </p>
      <Trouble error={move.error} />
      <div className="row wrap justify-end gap-2 push-end">
        {pilot.isHere ? null : (
          <Button variant="default" loading={move.isPending} onClick={() => move.mutate()}>
            {t("office.live.pilot.here")}
          </Button>
        )}
        <Button variant="default" onClick={() => setEnding(true)}>
          {t("office.live.pilot.end")}
        </Button>
      </div>
      {isEnding ? <PilotEndDialog onClose={() => setEnding(false)} /> : null}
    </section>
  );
}

/** Asks for the owner's PIN. */
function PilotEndDialog({ onClose }: { readonly onClose: () => void }) {
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
      className="stack gap-4"
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
      <FormButtons onCancel={onClose} loading={end.isPending} disabled={!isTyped}>
        {t("office.live.pilot.end")}
      </FormButtons>
    </form>
  );
}
