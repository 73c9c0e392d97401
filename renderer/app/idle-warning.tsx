import { useTranslation } from "react-i18next";
import { Notice } from "../components/notice.tsx";
import { useAnnounced } from "../lib/announcer.ts";
import classes from "./idle-warning.module.css";
import { WARNING_MS } from "./use-idle-lock.ts";

/** Shown before an idle till is locked: the time left, and what keeps it open. */
export function IdleWarning({ secondsLeft }: { readonly secondsLeft: number | undefined }) {
  const { t } = useTranslation();
  const isOn = secondsLeft !== undefined;
  // Announced once: each second would be read over the one before.
  useAnnounced(isOn ? t("app.idle.warning", { count: WARNING_MS / 1000 }) : undefined, {
    urgency: "assertive",
  });
  return isOn ? (
    <div className={classes.warning}>
      <Notice tone="wait">
        <strong>{t("app.idle.warning", { count: secondsLeft })}</strong>
      </Notice>
    </div>
  ) : null;
}
