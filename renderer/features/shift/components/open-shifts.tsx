import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Shift, ZReport } from "../../../../server/contract/pos/shifts.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { openShiftsQuery } from "../api/shift-queries.ts";
import { Awaited } from "./awaited.tsx";
import { ForceCloseForm } from "./force-close-form.tsx";
import classes from "./shift-screen.module.css";

interface OpenShiftsProps {
  readonly ownStaffId: string;
  readonly onClosed: (report: ZReport) => void;
}

/** Open drawers and their people, and closing one that was forgotten; for owners. */
export function OpenShifts({ ownStaffId, onClosed }: OpenShiftsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shifts = useQuery(openShiftsQuery());
  const [chosen, setChosen] = useState<Shift>();
  const list = shifts.data?.list ?? [];
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Awaited query={shifts} />
        {shifts.isSuccess && list.length === 0 ? (
          <p className={classes.soft}>{t("shift.others.none")}</p>
        ) : null}
        <ul className={classes.list} aria-label={t("shift.others.list")}>
          {list.map(({ shift, expectedCash }) => (
            <li key={shift.shiftId} className={classes.item}>
              <span className={classes.grow}>
                {shift.staff.name}
                <small>
                  {t("shift.since", format.when(shift.openedAt))} ·{" "}
                  {t("common.labelled", {
                    label: t("shift.figures.expected"),
                    value: format.money(expectedCash, shift.currency, shift.currencyDivisor),
                  })}
                </small>
              </span>
              {shift.staff.staffId === ownStaffId ? null : (
                <Button variant="default" onClick={() => setChosen(shift)}>
                  {t("shift.others.force", { name: shift.staff.name })}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
      {chosen ? (
        <aside className={classes.side} aria-label={t("shift.do.close")}>
          <ForceCloseForm key={chosen.shiftId} shift={chosen} onClosed={onClosed} />
        </aside>
      ) : null}
    </div>
  );
}
