import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Notice } from "../components/notice.tsx";
import { isOfficeOnly } from "../lib/has-office.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./shell.module.css";

/** Says at every till that live is tried out: how much a sale may be here, or who sells instead. */
export function PilotNotice({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: status } = useQuery(statusQuery());
  if (!status?.pilot || isOfficeOnly(session)) {
    return null;
  }
  const { pilot, currency, currencyDivisor } = status;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const where = pilot.till || t("goLive.pilot.someTill", { name: pilot.chosenBy });
  return (
    <div className={`${classes.notice} ${classes.low}`}>
      <Notice tone={pilot.isHere ? "info" : "wait"}>
        {pilot.isHere
          ? t("goLive.pilot.here", { sale: money(pilot.mostPerSale), day: money(pilot.mostPerDay) })
          : t("goLive.pilot.there", { till: where })}
      </Notice>
    </div>
  );
}
