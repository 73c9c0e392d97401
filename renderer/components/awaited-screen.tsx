import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { UnreachableError } from "../lib/api-client.ts";
import { useConnection } from "../lib/connection-store.ts";
import { errorWords } from "../lib/error-words.ts";
import { gatewayAnswers } from "../lib/gateway-is-there.ts";
import { useFormat } from "../lib/use-format.ts";
import { ErrorNotice, Notice } from "./notice.tsx";
import classes from "./screen.module.css";

/** Longer than a script usually loads, so that the notice does not flash. */
const SLOW_MS = 5_000;

/**
 * Replaces a screen whose script is not loaded. Reports an unreachable gateway, or a script that
 * does not load: a browser retries a failed script only after a reload.
 */
export function AwaitedScreen() {
  const { t } = useTranslation();
  const format = useFormat();
  const isOffline = useConnection() === "reconnecting";
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isOffline || isSlow ? (
    <section className={classes.card}>
      <h1 className="size-title">{t("app.missing")}</h1>
      {isOffline ? (
        <ErrorNotice words={errorWords(new UnreachableError(), t, format)} />
      ) : (
        <Notice tone="wait" loud>
          {t("app.crashed.body")}
        </Notice>
      )}
      <Button variant="default" className="self-start" onClick={() => void reload()}>
        {t("common.retry")}
      </Button>
    </section>
  ) : null;
}

/** Keeps the page while the gateway does not answer, because a reload would lose it. */
async function reload(): Promise<void> {
  if (await gatewayAnswers()) location.reload();
}
