import { IconPlugConnected } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./starting-screen.module.css";

/** Shown before the gateway has answered; after a moment, what is going on in plain words. */
export function StartingScreen({ reconnecting }: { readonly reconnecting: boolean }) {
  const { t } = useTranslation();
  return (
    <main className={classes.screen} aria-live="polite">
      <div className={classes.words}>
        <IconPlugConnected size="2.5rem" stroke={1.25} aria-hidden="true" />
        <h1 className={classes.title}>
          {t(reconnecting ? "app.unreachable.title" : "app.starting")}
        </h1>
        {reconnecting ? <p>{t("app.unreachable.body")}</p> : null}
      </div>
    </main>
  );
}
