import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosDevices } from "../../../../server/contract/pos/devices.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { devicesQuery } from "../api/devices-query.ts";
import { ClosedNotice } from "./closed-notice.tsx";
import { DeviceList } from "./device-list.tsx";
import classes from "./devices-screen.module.css";
import { LetIn } from "./let-in.tsx";
import { TrustHelp } from "./trust-help.tsx";

interface DevicesScreenProps {
  readonly onFirewall: () => void;
}

/** The devices that were let in, how another one is, and what to do about its browser's warning. */
export function DevicesScreen({ onFirewall }: DevicesScreenProps) {
  const { t } = useTranslation();
  const [isAwaited, setAwaited] = useState(false);
  const devices = useQuery(devicesQuery(isAwaited));
  const isPending = !devices.data && !troubleOf(devices);
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <h1 className={classes.title}>{t("office.devices.title")}</h1>
        <p className={classes.hint}>{t("office.devices.lead")}</p>
        <QueryTrouble query={devices} />
        {isPending ? (
          <div role="status" aria-busy="true" aria-label={t("common.loading")}>
            <Skeleton height="9rem" radius="md" />
          </div>
        ) : null}
        {devices.data ? (
          <Shown devices={devices.data} onAwait={setAwaited} onFirewall={onFirewall} />
        ) : null}
      </div>
    </main>
  );
}

interface ShownProps extends DevicesScreenProps {
  readonly devices: PosDevices;
  readonly onAwait: (isAwaited: boolean) => void;
}

function Shown({ devices: { list, entrance }, onAwait, onFirewall }: ShownProps) {
  return (
    <>
      {entrance ? (
        <LetIn addresses={entrance.addresses} list={list} onAwait={onAwait} />
      ) : (
        <ClosedNotice />
      )}
      <DeviceList list={list} />
      {entrance ? <TrustHelp authority={entrance.authority} onFirewall={onFirewall} /> : null}
    </>
  );
}
