import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { UpdateState } from "../../../../electron/ipc/ipc-map.ts";
import { Notice } from "../../../components/notice.tsx";
import classes from "./shift-screen.module.css";

const ASK_EVERY_MS = 60_000;
/** The desktop app answers this, and no operation of the gateway. */
const UPDATE_KEY = ["update"];

/**
 * In the desktop app: a new version waits for the end of the shift. It may come at any moment, so it
 * stands at the foot, where it moves nothing that is about to be pressed.
 */
export function UpdateNotice() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: UPDATE_KEY,
    queryFn: async (): Promise<UpdateState> =>
      (await window.tillgate?.updateState()) ?? { ready: false },
    refetchInterval: ASK_EVERY_MS,
    enabled: window.tillgate !== undefined,
  });
  return data?.ready ? (
    <div className={classes.foot}>
      <Notice tone="info">{t(data.failed ? "shift.updateFailed" : "shift.updateReady")}</Notice>
    </div>
  ) : null;
}
