import { CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Notice } from "../components/notice.tsx";
import { isOfficeOnly } from "../lib/has-office.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { useFormat } from "../lib/use-format.ts";
import shell from "./shell.module.css";
import classes from "./sign-in-notices.module.css";

/** Reports the pilot: its caps at the till that sells, the name of that till at all other tills. */
export function PilotNotice({ session }: { readonly session: PosSession }) {
  const { data: status } = useQuery(statusQuery());
  if (!status?.pilot || isOfficeOnly(session)) {
    return null;
  }
  return status.pilot.isHere ? (
    <PilotHere key={session.staff.staffId} status={status} pilot={status.pilot} />
  ) : (
    <PilotThere pilot={status.pilot} />
  );
}

type Pilot = NonNullable<PosStatus["pilot"]>;

/** The person can close the notice until the next sign-in, because it covers the shop's name. */
function PilotHere({ status, pilot }: { readonly status: PosStatus; readonly pilot: Pilot }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isClosed, setClosed] = useState(false);
  const { currency, currencyDivisor } = status;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return isClosed ? null : (
    <div className={shell.notice}>
      <Notice tone="info">
        <div className="row gap-3">
          <p className={classes.line}>
            {t("goLive.pilot.here", {
              sale: money(pilot.mostPerSale),
              day: money(pilot.mostPerDay),
            })}
          </p>
          <CloseButton
            className={classes.close}
            size="var(--touch)"
            iconSize="1.25rem"
            aria-label={t("common.close")}
            onClick={() => setClosed(true)}
          />
        </div>
      </Notice>
    </div>
  );
}

function PilotThere({ pilot }: { readonly pilot: Pilot }) {
  const { t } = useTranslation();
  const till = pilot.till || t("goLive.pilot.someTill", { name: pilot.chosenBy });
  return (
    <div className={`${shell.notice} ${shell.low}`}>
      <Notice tone="wait">{t("goLive.pilot.there", { till })}</Notice>
    </div>
  );
}
