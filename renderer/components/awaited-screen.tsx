import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
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

interface AwaitedScreenProps {
  /** Shown until the wait has a reason. */
  readonly children?: ReactNode;
}

/**
 * Replaces a screen whose script is not loaded. Reports an unreachable gateway, or a script that
 * does not load: a browser retries a failed script only after a reload.
 */
export function AwaitedScreen({ children }: AwaitedScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isOffline = useConnection() === "reconnecting";
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isOffline && !isSlow) return children;
  return (
    <main className="min-h-0 overflow-y-auto">
      <div className="pad-4">
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
      </div>
    </main>
  );
}

/** Keeps the page while the gateway does not answer, because a reload would lose it. */
async function reload(): Promise<void> {
  if (await gatewayAnswers()) location.reload();
}
