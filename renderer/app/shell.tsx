import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApprovalProvider } from "../components/approval/approval-provider.tsx";
import { Notice } from "../components/notice.tsx";
import { signOut } from "../features/session/api/session-queries.ts";
import { useConnection } from "../lib/connection-store.ts";
import { sessionQuery } from "../lib/pos-queries.ts";
import { CommandPalette } from "./command-palette.tsx";
import { CustomerDisplayProvider } from "./customer-display-provider.tsx";
import { useLiveEvents } from "./live.ts";
import { NavRail } from "./nav-rail.tsx";
import classes from "./shell.module.css";
import { ShopHeader } from "./shop-header.tsx";
import { useUnsentGuard } from "./use-unsent-guard.ts";

/** What stays in sight around every screen: the header, the way to the others, the connection. */
export function Shell() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const connection = useConnection();
  useLiveEvents();
  useUnsentGuard();
  // Locked at once for whoever looks; the gateway hears of it as soon as it can.
  const lock = useMutation({
    mutationFn: signOut,
    onMutate: () => queryClient.setQueryData(sessionQuery().queryKey, null),
  });
  if (!session) {
    return null;
  }
  return (
    <CustomerDisplayProvider>
      <div className={classes.shell}>
        <ShopHeader staff={session.staff} />
        <div className={classes.body}>
          <NavRail isOwner={session.staff.role === "owner"} onLock={() => lock.mutate()} />
          <div className={classes.screen}>
            {connection === "reconnecting" ? (
              <div className={classes.notice}>
                <Notice tone="offline" loud>
                  <strong>{t("app.unreachable.title")}.</strong> {t("app.unreachable.short")}
                </Notice>
              </div>
            ) : null}
            <ApprovalProvider>
              <Outlet />
            </ApprovalProvider>
          </div>
        </div>
        <CommandPalette isOwner={session.staff.role === "owner"} onLock={() => lock.mutate()} />
      </div>
    </CustomerDisplayProvider>
  );
}
