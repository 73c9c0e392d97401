import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { listUnsentAttempts } from "../features/counter/sale/attempt/attempt-store.ts";
import { SignInScreen } from "../features/session/components/sign-in-screen.tsx";
import { SetupScreen } from "../features/setup/components/setup-screen.tsx";
import { useConnection } from "../lib/connection-store.ts";
import { findChosenLanguage } from "../lib/i18n.ts";
import { isOfAnyPlace, sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import {
  ShopCurrencyContext,
  ShopDayStartContext,
  ShopTimeZoneContext,
} from "../lib/use-format.ts";
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
  useShopLanguage(status.data);
  useUnsentGuard();
  if (!status.data || (status.data.setUp && session.data === undefined)) {
    return <StartingScreen reconnecting={connection === "reconnecting"} />;
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
        <SetupScreen onDone={enter} />
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

/** The shop's language, unless this till was set to another. */
function useShopLanguage(status: PosStatus | undefined) {
  const { i18n } = useTranslation();
  const language = status?.setUp ? status.language : undefined;
  useEffect(() => {
    const wanted = findChosenLanguage() ?? language;
    if (wanted && wanted !== i18n.language) {
      void i18n.changeLanguage(wanted);
    }
  }, [language, i18n]);
}
