import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import classes from "./devices-screen.module.css";

/** As the manual has it. */
const LISTEN = "0.0.0.0:7444";

/** Nothing is open for other devices: what to start with. */
export function ClosedNotice() {
  const { t } = useTranslation();
  return (
    <section className={classes.view}>
      <Notice tone="wait">
        <strong>{t("office.devices.closed.title")}</strong>
        <p>{t("office.devices.closed.body")}</p>
      </Notice>
      <code className={classes.secret} dir="ltr">
        --till-listen {LISTEN}
      </code>
      <p className={classes.hint}>{t("office.devices.closed.setting")}</p>
      <code className={classes.secret} dir="ltr">
        TILLGATE_TILL_LISTEN={LISTEN}
      </code>
    </section>
  );
}
