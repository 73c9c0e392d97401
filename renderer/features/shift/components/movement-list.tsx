import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Shift } from "../../../../server/contract/pos/shifts.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { movementsQuery } from "../api/shift-queries.ts";
import classes from "./shift-screen.module.css";

/** Cash that was moved beside sales, newest first. */
export function MovementList({ shift }: { readonly shift: Shift }) {
  const { t } = useTranslation();
  const format = useFormat();
  const movements = useQuery(movementsQuery(shift.shiftId));
  const { data } = movements;
  if (!data) {
    return <QueryTrouble query={movements} />;
  }
  if (data.list.length === 0) {
    return <p className={classes.soft}>{t("shift.move.none")}</p>;
  }
  return (
    <ul className={classes.list} aria-label={t("shift.move.list")}>
      {data.list.toReversed().map((movement) => (
        <li key={movement.movementId} className={classes.item}>
          <span>{format.time(movement.recordedAt)}</span>
          <span className={classes.grow}>
            {t(`shift.do.${movement.kind}`)}
            <small>
              {[movement.reason, movement.approvedBy?.name].filter(Boolean).join(" · ")}
            </small>
          </span>
          <span className={classes.amount}>
            {movement.kind === "NO_SALE"
              ? null
              : format.money(
                  movement.kind === "PAY_IN" ? movement.amount : -movement.amount,
                  shift.currency,
                  shift.currencyDivisor,
                )}
          </span>
        </li>
      ))}
    </ul>
  );
}
