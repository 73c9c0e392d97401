import { CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Notice } from "../components/notice.tsx";
import { useFormat } from "../lib/use-format.ts";
import { walletOverviewQuery } from "../lib/wallet-overview-query.ts";
import shell from "./shell.module.css";
import classes from "./sign-in-notices.module.css";

/**
 * Warns people with permission to see figures that the wallet is below the owner's limit. A closed
 * warning appears again if its reason changes (rules#wallet-alert).
 */
export function WalletNotice({ session }: { readonly session: PosSession }) {
  const { rights, training, environment } = session;
  return rights.seeFigures && !training ? <LowWallet key={environment} /> : null;
}

function LowWallet() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(walletOverviewQuery());
  const [closed, setClosed] = useState("");
  const [cause] = data?.low ?? [];
  // The header already reports an empty wallet, to everybody.
  if (!data || cause === undefined || cause === "EMPTY" || closed === cause) {
    return null;
  }
  const { available, currency, currencyDivisor, hoursLeft = 0 } = data;
  return (
    <div className={shell.notice}>
      <Notice tone="wait" loud>
        <div className="row gap-3">
          <p className={classes.line}>
            {t(`app.walletLow.${cause}`, {
              amount: format.money(available, currency, currencyDivisor, "code"),
              hours: format.number(Math.round(hoursLeft)),
            })}
          </p>
          <CloseButton
            className={classes.close}
            size="var(--touch)"
            iconSize="1.25rem"
            aria-label={t("common.close")}
            onClick={() => setClosed(cause)}
          />
        </div>
      </Notice>
    </div>
  );
}
