import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { listUnsentAttempts } from "../features/counter/sale/attempt/attempt-store.ts";
import { SignInScreen } from "../features/session/components/sign-in-screen.tsx";
import { useConnection } from "../lib/connection-store.ts";
import { findChosenLanguage, speak } from "../lib/i18n.ts";
import { isOfAnyPlace, sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import {
  ShopCurrencyContext,
  ShopDayStartContext,
  ShopTimeZoneContext,
} from "../lib/use-format.ts";
import { LateSetupScreen } from "./late-parts.ts";
import { router } from "./router.tsx";
import { ScreenCorner } from "./screen-corner.tsx";
import { StartingScreen } from "./starting-screen.tsx";
import { TestStripe } from "./test-stripe.tsx";
import { useUnsentGuard } from "./use-unsent-guard.ts";

/** What the till shows first: reconnecting, set-up, the lock screen, or the shop's screens. */
export function AppGate() {
  const status = useQuery(statusQuery());
  const session = useQuery({ ...sessionQuery(), enabled: status.data?.setUp === true });
  const connection = useConnection();
  const isSpoken = useShopLanguage(status.data);
  useUnsentGuard();
  if (!status.data || !isSpoken || (status.data.setUp && session.data === undefined)) {
    const isAskedAgain = status.failureCount + session.failureCount > 0;
    return <StartingScreen reconnecting={connection === "reconnecting" || isAskedAgain} />;
  }
  return (
    <ShopCurrencyContext value={status.data.currency}>
      <ShopTimeZoneContext value={status.data.timeZone}>
        <ShopDayStartContext value={status.data.dayStartsAt}>
          <TestStripe environment={status.data.environment} />
          <Screens status={status.data} session={session.data ?? null} />
        </ShopDayStartContext>
      </ShopTimeZoneContext>
    </ShopCurrencyContext>
  );
}

interface ScreensProps {
  readonly status: PosStatus;
  readonly session: PosSession | null;
}

function Screens({ status, session }: ScreensProps) {
  const queryClient = useQueryClient();
  useEffect(() => void window.tillgate?.isThere?.(), []);

  function enter(signedIn: PosSession) {
    // Nothing of the person before stays: not their sales, not their half-typed number.
    queryClient.removeQueries({ predicate: (query) => !isOfAnyPlace(query) });
    queryClient.setQueryData(sessionQuery().queryKey, signedIn);
    void queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
    void router.navigate({ to: "/" });
  }

  if (!status.setUp) {
    return (
      <ScreenCorner>
        <LateSetupScreen onDone={enter} />
      </ScreenCorner>
    );
  }
  if (!session) {
    return (
      <ScreenCorner withLanguage>
        <SignInScreen
          shopName={status.shopName}
          unsentOf={new Set(listUnsentAttempts().map(({ staffId }) => staffId))}
          onSignedIn={enter}
        />
      </ScreenCorner>
    );
  }
  return <RouterProvider router={router} />;
}

/**
 * The shop's language, unless this till was set to another; false until its words are there the first
 * time, or cannot be fetched.
 */
function useShopLanguage(status: PosStatus | undefined): boolean {
  const { i18n } = useTranslation();
  const [wasAsked, setAsked] = useState(false);
  const wanted = status?.setUp ? (findChosenLanguage() ?? status.language) : undefined;
  useEffect(() => {
    if (wanted && wanted !== i18n.language) {
      void speak(wanted).finally(() => setAsked(true));
    }
  }, [wanted, i18n]);
  return wasAsked || wanted === undefined || wanted === i18n.language;
}
