import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TillState } from "../../../../server/contract/pos/till-environment.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { GOING_LIVE_ANSWERS, movePilot } from "../api/going-live-queries.ts";
import classes from "./going-live-screen.module.css";
import { PilotEndDialog } from "./pilot-end-dialog.tsx";

/** The first live sales: how far they are, which till makes them, and their end. */
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
    <section className={classes.section} aria-labelledby="live-pilot">
      <h2 id="live-pilot" className={classes.legend}>
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
      {move.error ? <ErrorNotice words={errorWords(move.error, t, format)} /> : null}
      <div className={classes.remedies}>
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
