import { Skeleton, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DesktopChange } from "../../../../electron/ipc/ipc-map.ts";
import { Notice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { endKiosk } from "../../../lib/end-kiosk.ts";
import classes from "./settings-screen.module.css";

const SWITCHES = ["startsAtLogin", "kiosk", "tray"] as const;
const QUERY_KEY = ["desktop-settings"] as const;

/** What an owner sets of the desktop program, on this machine alone; each switch counts at once. */
export function ProgramView() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const settings = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => (await globalThis.window.tillgate?.desktopSettings()) ?? null,
  });
  const change = useMutation({
    mutationFn: async (wish: DesktopChange) =>
      wish.kiosk === false
        ? endKiosk(false)
        : ((await globalThis.window.tillgate?.changeDesktop(wish)) ?? null),
    onSuccess: (now) => {
      queryClient.setQueryData(QUERY_KEY, now);
      announce(t("office.settings.saved"));
    },
  });
  return (
    <>
      <p className={classes.hint}>{t("office.settings.program.intro")}</p>
      {change.isError || settings.isError ? (
        <Notice tone="bad" loud>
          {t("office.settings.program.failed")}
        </Notice>
      ) : null}
      {settings.isPending ? <Skeleton height="6rem" radius="md" /> : null}
      {settings.data
        ? SWITCHES.map((name) => (
            <Switch
              key={name}
              label={t(`office.settings.program.${name}`)}
              description={t(`office.settings.program.${name}Hint`)}
              checked={settings.data?.[name] ?? false}
              disabled={change.isPending}
              onChange={({ currentTarget }) => change.mutate({ [name]: currentTarget.checked })}
            />
          ))
        : null}
    </>
  );
}
