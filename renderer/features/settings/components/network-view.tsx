import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { networkQuery } from "../api/settings-queries.ts";
import type { SettingsPlace } from "../settings-views.ts";
import { ReachSection } from "./reach-section.tsx";
import classes from "./settings-screen.module.css";

/** How a second device opens the till, and the way to the printers. */
export function NetworkView({ onPlace }: { readonly onPlace: (place: SettingsPlace) => void }) {
  const { t } = useTranslation();
  const network = useQuery(networkQuery());
  const { open, addresses = [], port } = network.data ?? {};
  const [first] = addresses;
  return (
    <>
      <QueryTrouble query={network} />
      {network.isPending ? <Skeleton height="6rem" radius="md" /> : null}
      {network.data ? (
        <p>{t(open ? "office.settings.network.open" : "office.settings.network.closed")}</p>
      ) : null}
      {network.data && !open ? (
        <code className={classes.secret} dir="ltr">
          npm run serve -- --host 0.0.0.0 --port {port}
        </code>
      ) : null}
      {addresses.map((address) => (
        <code key={address} className={classes.secret} dir="ltr">
          {address}
        </code>
      ))}
      {first ? (
        <QrCode content={first} label={t("office.settings.network.qr")} className={classes.qr} />
      ) : null}
      <Notice tone="info">{t("office.settings.network.safe")}</Notice>
      <ReachSection />
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onPlace("/printing")}>
          {t("office.settings.printing")}
        </Button>
      </div>
    </>
  );
}
