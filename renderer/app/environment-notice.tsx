import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Notice } from "../components/notice.tsx";
import { useAnnounced } from "../lib/announcer.ts";
import { restFocus } from "../lib/rest-focus.ts";
import classes from "./shell.module.css";

/** Where the shop sold when a person at this till last confirmed it. */
const STORAGE_KEY = "tillgate.environment";

interface EnvironmentNoticeProps {
  readonly session: Pick<PosSession, "environment" | "training">;
}

/**
 * Says at every till that an owner took the shop live or back, until a person there has confirmed it:
 * also where the till was locked or off. Training ends where the shop sells by then.
 */
export function EnvironmentNotice({ session }: EnvironmentNoticeProps) {
  const { t } = useTranslation();
  const { environment, training } = session;
  /** What had the focus before the button of the notice. */
  const before = useRef<Element>(null);
  // A till that was never shown where the shop sells gets no notice.
  const [seen, setSeen] = useState(
    () => localStorage.getItem(STORAGE_KEY) ?? (training ? null : environment),
  );
  useEffect(() => {
    if (seen !== null) {
      localStorage.setItem(STORAGE_KEY, seen);
    }
  }, [seen]);
  const isNews = seen !== null && seen !== environment && !training;
  const words = isNews ? t(`goLive.moved.${environment}`) : undefined;
  useAnnounced(words, { urgency: "assertive" });
  return words === undefined ? null : (
    <div className={`${classes.notice} ${classes.low}`}>
      <Notice tone="wait">
        <strong>{words}</strong>{" "}
        <Button
          variant="default"
          onFocus={({ relatedTarget }) => {
            before.current = relatedTarget;
          }}
          onClick={() => {
            setSeen(environment);
            restFocus(before.current);
          }}
        >
          {t("goLive.moved.seen")}
        </Button>
      </Notice>
    </div>
  );
}
