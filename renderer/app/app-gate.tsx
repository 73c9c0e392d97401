import { Button } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  RouterProvider,
  redirect,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../server/contract/common.ts";
import type { Language, PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import {
  familyOfParam,
  paramOfFamily,
  type SellParam,
} from "../features/counter/families/family-address.ts";
import type { CounterWish } from "../features/counter/families/interface/family.ts";
import {
  isOwn,
  listConfirmedAttempts,
  listUnsentAttempts,
} from "../features/counter/sale/attempt/attempt-store.ts";
import { SignInScreen } from "../features/session/components/sign-in-screen.tsx";
import { useConnection } from "../lib/connection-store.ts";
import { chooseLanguage, findChosenLanguage, LANGUAGE_NAMES, speak } from "../lib/i18n.ts";
import type { OfficeSearch } from "../lib/office-section.ts";
import { isOfAnyPlace, sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import {
  ShopCurrencyContext,
  ShopDayStartContext,
  ShopTimeZoneContext,
} from "../lib/use-format.ts";
import { LateSetupScreen } from "./late-parts.ts";
import {
  AuditPage,
  CounterPage,
  OfficePage,
  PrintingPage,
  ShiftPage,
  StaffPage,
  TodayPage,
} from "./pages.tsx";
import classes from "./screen-corner.module.css";
import { Shell } from "./shell.tsx";
import startingScreenClasses from "./starting-screen.module.css";
import testStripeClasses from "./test-stripe.module.css";

const rootRoute = createRootRoute({ component: Shell });

const counterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: ({
    sell,
    find,
    number,
    held,
  }: { readonly [name in "sell" | "find" | "number" | "held"]?: unknown } & SearchSchemaInput): {
    readonly sell: SellParam;
  } & CounterWish => ({
    sell: paramOfFamily(familyOfParam(sell)),
    ...(typeof find === "string" && { find }),
    ...(held === true && { held }),
    // The router parses digits in an address as a number.
    ...((typeof number === "string" || typeof number === "number") && { number: String(number) }),
  }),
  component: CounterPage,
});

const todayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/today",
  // `sale` is chosen on another screen; `find` contains the digits by which Today finds a sale.
  validateSearch: ({
    sale,
    find,
  }: { readonly [name in "sale" | "find"]?: unknown } & SearchSchemaInput): {
    readonly sale?: string;
    readonly find?: string;
  } => ({
    ...(typeof sale === "string" && { sale }),
    ...((typeof find === "string" || typeof find === "number") && { find: String(find) }),
  }),
  component: TodayPage,
});

const shiftRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/shift",
  component: ShiftPage,
});

const staffRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/staff",
  component: StaffPage,
});

const printingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/printing",
  component: PrintingPage,
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit-trail",
  component: AuditPage,
});

const goingLiveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/test-and-live",
  beforeLoad: () => {
    throw redirect({ to: "/office/$section", params: { section: "live" } }) as unknown as Error;
  },
});

const officeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/office",
  component: OfficePage,
});

const officeSectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/office/$section",
  // Each section validates its own search parameters. The router parses digits as a number.
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): OfficeSearch =>
    Object.fromEntries(
      Object.entries(search).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
      ),
    ),
  component: OfficePage,
});

const elsewhereRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$",
  beforeLoad: () => {
    throw redirect({ to: "/" }) as unknown as Error;
  },
});

/** The path is behind a "#", so a reload requests the same page on every screen. */
const router = createRouter({
  history: createHashHistory(),
  routeTree: rootRoute.addChildren([
    counterRoute,
    todayRoute,
    shiftRoute,
    staffRoute,
    auditRoute,
    printingRoute,
    goingLiveRoute,
    officeRoute,
    officeSectionRoute,
    elsewhereRoute,
  ]),
  defaultErrorComponent: ({ reset }: ErrorComponentProps) => <CrashedScreen onAgain={reset} />,
  defaultPreload: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** New for each visit, because a clerk may look for the same sale twice. */
    readonly visit?: string;
    /** Number of the counter's request that opened the family. */
    readonly asked?: number;
  }
}

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
    // Removes all data of the previous person, such as sales and a half-typed number.
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
 * Applies the shop's language unless this till has its own language.
 * @returns false until texts have loaded for the first time, or failed to load
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

interface ScreenCornerProps {
  readonly children: ReactNode;
  readonly withLanguage?: boolean;
}

function ScreenCorner({ children, withLanguage = false }: ScreenCornerProps) {
  return (
    <div className={classes.whole}>
      <header className={classes.corner}>
        {withLanguage ? <LanguageButtons /> : null}
        <ThemeToggle />
      </header>
      {children}
    </div>
  );
}

function LanguageButtons() {
  const { t, i18n } = useTranslation();
  return (
    <fieldset className="flex wrap" aria-label={t("app.language")}>
      {(Object.keys(LANGUAGE_NAMES) as Language[]).map((language) => (
        <button
          key={language}
          type="button"
          className={classes.language}
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={(event) => {
            event.currentTarget.blur();
            chooseLanguage(language);
          }}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}

/** The screen until the gateway answers. Explains the wait after a moment. */
function StartingScreen({ reconnecting }: { readonly reconnecting: boolean }) {
  const { t } = useTranslation();
  return (
    <main className={startingScreenClasses.screen} aria-live="polite">
      <div className={startingScreenClasses.words}>
        <IconPlugConnected size="2.5rem" stroke={1.25} aria-hidden="true" />
        <h1 className="ink size-heading">
          {t(reconnecting ? "app.unreachable.title" : "app.starting")}
        </h1>
        {reconnecting ? <p>{t("app.unreachable.body")}</p> : null}
      </div>
    </main>
  );
}

function TestStripe({ environment }: { readonly environment: Environment }) {
  return environment === "test" ? (
    <div className={testStripeClasses.stripe} aria-hidden="true" />
  ) : null;
}

/**
 * Asks for confirmation before the page closes while a paid sale of this window is unconfirmed,
 * also on the lock screen. The next page would send the sale, but a person who closes the till
 * expects a completed sale.
 */
function useUnsentGuard(): void {
  useEffect(() => {
    function onBeforeUnload(event: BeforeUnloadEvent) {
      if (listConfirmedAttempts().some(isOwn)) {
        event.preventDefault();
      }
    }
    globalThis.addEventListener("beforeunload", onBeforeUnload);
    return () => globalThis.removeEventListener("beforeunload", onBeforeUnload);
  }, []);
}

function CrashedScreen({ onAgain }: { readonly onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={startingScreenClasses.screen} role="alert">
      <div className={startingScreenClasses.words}>
        <h1 className="ink size-heading">{t("app.crashed.title")}</h1>
        <p>{t("app.crashed.body")}</p>
        <Button onClick={onAgain}>{t("app.crashed.again")}</Button>
      </div>
    </div>
  );
}
