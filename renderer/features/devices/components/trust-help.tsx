import { Button } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import classes from "./devices-screen.module.css";

const STEPS = ["open", "compare", "close"] as const;
const SYSTEMS = ["windows", "macos", "android", "ios", "firefox"] as const;

interface TrustHelpProps {
  /** SHA-256 of what devices have to trust; undefined where they know who issued the certificate. */
  readonly authority: string | undefined;
  readonly onFirewall: () => void;
}

/** What a device has to be told before its browser stops warning, for each system. */
export function TrustHelp({ authority, onFirewall }: TrustHelpProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={classes.view} aria-labelledby={id}>
      <h2 id={id} className={classes.legend}>
        {t("office.devices.trust.title")}
      </h2>
      {authority === undefined ? (
        <p>{t("office.devices.trust.own")}</p>
      ) : (
        <Steps authority={authority} />
      )}
      <p className={classes.hint}>{t("office.devices.moved")}</p>
      <div>
        <Button variant="default" onClick={onFirewall}>
          {t("office.devices.firewall")}
        </Button>
      </div>
    </section>
  );
}

function Steps({ authority }: { readonly authority: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="info">{t("office.devices.trust.why")}</Notice>
      <ol className={classes.steps}>
        {STEPS.map((step) => (
          <li key={step}>{t(`office.devices.trust.steps.${step}`)}</li>
        ))}
      </ol>
      <h3 className={classes.name}>{t("office.devices.trust.sha")}</h3>
      <code className={classes.secret} dir="ltr">
        {authority}
      </code>
      <h3 className={classes.name}>{t("office.devices.trust.how")}</h3>
      <dl className={classes.systems}>
        {SYSTEMS.map((system) => (
          <div key={system}>
            <dt className={classes.name}>{t(`office.devices.trust.on.${system}`)}</dt>
            <dd>{t(`office.devices.trust.do.${system}`)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
