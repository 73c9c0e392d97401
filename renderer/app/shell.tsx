import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Notice } from "../components/notice.tsx";
import { ApprovalProvider } from "../features/approval/components/approval-provider.tsx";
import { CustomerRefundProvider } from "../features/customer-refunds/customer-refund-provider.tsx";
import { signOut } from "../features/session/api/session-queries.ts";
import { DrawerDialog } from "../features/shift/components/drawer-dialog.tsx";
import { announce } from "../lib/announcer.ts";
import { useConnection } from "../lib/connection-store.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import { useSingleKeys } from "../lib/single-keys.ts";
import { useOnceTrue } from "../lib/use-once-true.ts";
import { BrandFacesProvider } from "./brand-faces-provider.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { CustomerDisplayProvider } from "./customer-display-provider.tsx";
import { EnvironmentNotice } from "./environment-notice.tsx";
import { IdleWarning } from "./idle-warning.tsx";
import { LateChangePinDialog, LateKeysDialog, LateOwnPin } from "./late-parts.ts";
import { LiveEvents } from "./live.tsx";
import { NavRail } from "./nav-rail.tsx";
import { OpenScreen } from "./open-screen.tsx";
import { PilotNotice } from "./pilot-notice.tsx";
import { SaleLinkNotice } from "./sale-link-notice.tsx";
import classes from "./shell.module.css";
import { ShopHeader } from "./shop-header.tsx";
import { SignInNotices } from "./sign-in-notices.tsx";
import { SkipLink } from "./skip-link.tsx";
import { StorageNotices } from "./storage-notices.tsx";
import { TrainingBanner } from "./training-banner.tsx";
import { UnsentOfOthers } from "./unsent-of-others.tsx";
import { useDrawer } from "./use-drawer.ts";
import { useEnvironmentLeft } from "./use-environment-left.ts";
import { useIdleLock } from "./use-idle-lock.ts";
import { useTraining } from "./use-training.ts";
import { useUnsentSender } from "./use-unsent-sender.ts";
import { WalletNotice } from "./wallet-notice.tsx";

/** What stays visible around every screen: the header, the menu, the connection. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery());
  const { data: status } = useQuery(statusQuery());
  const training = session?.training ?? false;
  useEnvironmentLeft(session?.environment);
  useUnsentSender(
    status && session && !isOfficeOnly(session)
      ? { environment: status.environment, staffId: session.staff.staffId, training }
      : undefined,
  );
  const lock = useLock();
  const secondsLeft = useIdleLock(session ? (status?.idleLockMinutes ?? 0) : 0, () =>
    lock.mutate("idle"),
  );
  const setTraining = useTraining();
  const drawer = useDrawer(session);
  const [singleKeys, setSingleKeys] = useSingleKeys(session?.staff.staffId ?? "");
  const [isKeysOpen, setKeysOpen] = useState(false);
  const wasKeysOpen = useOnceTrue(isKeysOpen);
  const ownPin = useOwnPin(session);
  if (!session) {
    return null;
  }
  return (
    <BrandFacesProvider>
      <CustomerDisplayProvider session={session}>
        <LiveEvents place={session} />
        <div className={classes.shell}>
          <SkipLink />
          <IdleWarning secondsLeft={secondsLeft} />
          {training ? <TrainingBanner onEnd={() => setTraining.mutate(false)} /> : null}
          <ShopHeader session={session} onKeys={() => setKeysOpen(true)} onPin={ownPin.change} />
          <div className={classes.body}>
            <NavRail
              session={session}
              onLock={() => lock.mutate(undefined)}
              onTrain={training ? undefined : () => setTraining.mutate(true)}
            />
            <div className={classes.screen}>
              <Notices session={session} />
              <ApprovalProvider>
                <CustomerRefundProvider>
                  <OpenScreen session={session} />
                </CustomerRefundProvider>
                <DrawerDialog shift={drawer.shift} onClose={drawer.close} />
              </ApprovalProvider>
            </div>
          </div>
          <CommandPalette
            session={session}
            onLock={() => lock.mutate(undefined)}
            onDrawer={drawer.ask}
            onKeys={() => setKeysOpen(true)}
            onTrain={training ? undefined : () => setTraining.mutate(true)}
          />
          {wasKeysOpen ? (
            <LateKeysDialog
              opened={isKeysOpen}
              onClose={() => setKeysOpen(false)}
              isOn={singleKeys}
              onChange={setSingleKeys}
            />
          ) : null}
          {ownPin.dialogs}
        </div>
      </CustomerDisplayProvider>
    </BrandFacesProvider>
  );
}

/** The person changes their PIN, or the gateway asks for it again. */
function useOwnPin(session: PosSession | null | undefined) {
  const [isOpen, setOpen] = useState(false);
  const dialogs = session ? (
    <>
      {isOpen ? (
        <LateChangePinDialog person={session.staff} onClose={() => setOpen(false)} />
      ) : null}
      <LateOwnPin />
    </>
  ) : null;
  return { change: () => setOpen(true), dialogs };
}

/** What everybody at this till should know, whatever is open. */
function Notices({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const connection = useConnection();
  return (
    <div className={classes.notices}>
      {connection === "reconnecting" ? (
        <div className={classes.notice}>
          <Notice tone="offline" loud>
            <strong>{t("app.unreachable.title")}.</strong> {t("app.unreachable.short")}
          </Notice>
        </div>
      ) : null}
      <SaleLinkNotice />
      <SignInNotices session={session} />
      <StorageNotices />
      <WalletNotice session={session} />
      <PilotNotice session={session} />
      <UnsentOfOthers staffId={session.staff.staffId} />
      <EnvironmentNotice session={session} />
    </div>
  );
}

/** Locked at once on the screen; the gateway is notified as soon as it can be. */
function useLock() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (reason: "idle" | undefined) => signOut(reason),
    onMutate: (reason) => {
      queryClient.setQueryData(sessionQuery().queryKey, null);
      announce(t(reason === "idle" ? "app.idle.locked" : "app.locked"), "assertive");
    },
  });
}
