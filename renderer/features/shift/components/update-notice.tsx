import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";

const ASK_EVERY_MS = 60_000;

/** In the desktop app: a new version waits for the end of the shift. */
export function UpdateNotice() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ["update"],
    queryFn: () => window.tillgate?.updateState() ?? { ready: false },
    refetchInterval: ASK_EVERY_MS,
    enabled: window.tillgate !== undefined,
  });
  return data?.ready ? <Notice tone="info">{t("shift.updateReady")}</Notice> : null;
}
