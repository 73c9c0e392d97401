import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Navigate, Outlet, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../server/contract/common.ts";
import { alertOperations } from "../../server/contract/pos/alerts.ts";
import { brandFaceOperations } from "../../server/contract/pos/brand-faces.ts";
import { counterOperations } from "../../server/contract/pos/counter.ts";
import { eventOperations } from "../../server/contract/pos/events.ts";
import { favouriteOperations } from "../../server/contract/pos/favourites.ts";
import { type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import { searchOperations } from "../../server/contract/pos/search-index.ts";
import { setupOperations } from "../../server/contract/pos/setup.ts";
import { shiftOperations } from "../../server/contract/pos/shifts.ts";
import { type PosSession, sessionOperations } from "../../server/contract/pos/staff.ts";
import { transactionOfficeOperations } from "../../server/contract/pos/transaction-office.ts";
import { useOpenDialog } from "../components/dialog/dialog.tsx";
import { ApprovalProvider } from "../features/approval/components/approval-provider.tsx";
import { hasUnsent } from "../features/counter/sale/attempt/attempt-store.ts";
import { useUnsentSender } from "../features/counter/sale/attempt/send-attempt.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { CustomerRefundProvider } from "../features/customer-refunds/customer-refund-provider.tsx";
import { train } from "../features/session/api/session-queries.ts";
import { SHIFT_ANSWERS } from "../features/shift/api/shift-queries.ts";
import { DrawerDialog } from "../features/shift/components/drawer-dialog.tsx";
import { AccountContext } from "../lib/account-context.ts";
import { openStream } from "../lib/api-client.ts";
import { useApproval } from "../lib/approval-context.ts";
import { BrandFacesContext } from "../lib/brand-faces.ts";
import { setConnection } from "../lib/connection-store.ts";
import { homeOf, isOfficeOnly } from "../lib/has-office.ts";
import { isPaletteKey } from "../lib/key-edge.ts";
import { searchRequests } from "../lib/listeners.ts";
import { invalidateAnswers, operationQuery } from "../lib/operation-query.ts";
import { isOfAnyPlace, saleQuery, sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import { createSaleFollowers } from "../lib/sale-followers.ts";
import { useSingleKeys } from "../lib/single-keys.ts";
import { UnsentSaleContext } from "../lib/unsent-sale-context.ts";
import { useBefore, useOnceTrue } from "../lib/use-before.ts";
import { useIsNarrow } from "../lib/use-is-narrow.ts";
import { useScreenKeys } from "../lib/use-screen-keys.ts";
import { AccountMenu, IdleWarning, OfficeAccount, useIdleLock, useLock } from "./account.tsx";
import { CustomerDisplayProvider } from "./customer-display.tsx";
import {
  LateChangePinDialog,
  LateKeysDialog,
  LateOwnPin,
  LateSellersPalette,
} from "./late-parts.ts";
import { NavRail } from "./nav-rail.tsx";
import { Notices } from "./notices.tsx";
import { printSaleReceipt, useAutoPrint, useDrawer } from "./printing.ts";
import type { SellersPaletteProps } from "./sellers-palette.tsx";
import classes from "./shell.module.css";
import { ShopHeader } from "./shop-header.tsx";

const REOPEN_MS = 2_000;
/**
 * A stream that reconnects within this time counts as connected, for example when training starts
 * or a session changes.
 */
const GRACE_MS = 1_000;

const WALLET_ANSWERS = [counterOperations.getWallet, counterOperations.checkWallet];

const EARLIER_SALE_ANSWERS = [
  counterOperations.listRecents,
  favouriteOperations.list,
  counterOperations.describePhone,
  saleOperations.check,
];

const SHOP_ANSWERS = [
  // Contains the person's permissions, and changes by another window of this session.
  sessionOperations.get,
  setupOperations.getStatus,
  counterOperations.listOffers,
  counterOperations.listBrands,
  brandFaceOperations.list,
  counterOperations.listEsimDestinations,
  searchOperations.getIndex,
  // Contain the costs of offers compared with the wallet, and depend on permissions.
  ...WALLET_ANSWERS,
  // Contains the pauses of brands whose provider does not deliver.
  counterOperations.describePhone,
  // Contains prices, and which products are for sale.
  saleOperations.check,
  ...SHIFT_ANSWERS,
];

/** The frame around every screen. Shows the colours of training from the first frame. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery());
  const { data: status } = useQuery(statusQuery());
  const training = session?.training ?? false;
  useEnvironmentLeft(session?.environment);
  const { sells, isOffice } = useOpenPlace();
  useUnsentSender(
    status && session && !sells && !isOfficeOnly(session)
      ? { environment: status.environment, staffId: session.staff.staffId, training }
      : undefined,
  );
  const lock = useLock();
  const lockNow = () => lock.mutate(undefined);
  const secondsLeft = useIdleLock(session ? (status?.idleLockMinutes ?? 0) : 0, () =>
    lock.mutate("idle"),
  );
  const setTraining = useTraining();
  const drawer = useDrawer(session);
  const keys = useKeysDialog(session);
  const ownPin = useOwnPin(session);
  const isNarrow = useIsNarrow();
  if (!session) {
    return null;
  }
  const account = (
    <AccountMenu
      session={session}
      onLock={lockNow}
      onTrain={() => setTraining.mutate(!training)}
      onKeys={keys.open}
      onPin={ownPin.change}
    />
  );
  return (
    <BrandFacesProvider>
      <CustomerDisplayProvider session={session}>
        <LiveEvents place={session} />
        <div
          key={String(training)}
          className={classes.shell}
          data-sells={sells}
          data-office={isOffice}
        >
          <SkipLink />
          <IdleWarning secondsLeft={secondsLeft} />
          {training ? <TrainingBanner onEnd={() => setTraining.mutate(false)} /> : null}
          {isOffice ? null : <ShopHeader session={session} account={isNarrow ? account : null} />}
          <Notices session={session} />
          <ScreenArea key={String(isOffice)} session={session} drawer={drawer} onLock={lockNow} />
          <NavRail
            session={session}
            isHidden={isOffice}
            onLock={lockNow}
            account={isNarrow ? null : account}
          />
          <CommandPalette
            session={session}
            onLock={lockNow}
            onDrawer={drawer.ask}
            onKeys={keys.open}
            onTrain={training ? undefined : () => setTraining.mutate(true)}
          />
          {keys.dialog}
          {ownPin.dialogs}
        </div>
      </CustomerDisplayProvider>
    </BrandFacesProvider>
  );
}

interface ScreenAreaProps {
  readonly session: PosSession;
  readonly drawer: ReturnType<typeof useDrawer>;
  readonly onLock: () => void;
}

function ScreenArea({ session, drawer, onLock }: ScreenAreaProps) {
  const { environment, training, staff } = session;
  const place = { environment, training, staffId: staff.staffId };
  return (
    <div className={classes.screen}>
      <ApprovalProvider>
        <AutoPrint place={place} />
        <CustomerRefundProvider>
          <AccountContext value={<OfficeAccount onLock={onLock} />}>
            <UnsentSaleContext value={() => hasUnsent(place)}>
              <OpenScreen session={session} />
            </UnsentSaleContext>
          </AccountContext>
        </CustomerRefundProvider>
        <DrawerDialog shift={drawer.shift} onClose={drawer.close} />
      </ApprovalProvider>
    </div>
  );
}

function AutoPrint({ place }: { readonly place: TillPlace }) {
  const queryClient = useQueryClient();
  const approve = useApproval();
  useAutoPrint(place, (saleId) => printSaleReceipt(queryClient, approve, saleId));
  return null;
}

/** Returns whether the counter or the back office is open: each has an additional column. */
function useOpenPlace(): { sells: boolean; isOffice: boolean } {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return { sells: path === "/", isOffice: path.startsWith("/office") };
}

function useKeysDialog(session: PosSession | null | undefined) {
  const [singleKeys, setSingleKeys] = useSingleKeys(session?.staff.staffId ?? "");
  const [isOpen, setOpen] = useState(false);
  const dialog = useOnceTrue(isOpen) ? (
    <LateKeysDialog
      opened={isOpen}
      onClose={() => setOpen(false)}
      isOn={singleKeys}
      onChange={setSingleKeys}
    />
  ) : null;
  return { open: () => setOpen(true), dialog };
}

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

function BrandFacesProvider({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery({
    ...operationQuery(brandFaceOperations.list),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const home = useQuery(statusQuery()).data?.country ?? "";
  const faces = useMemo(() => {
    const known = new Map(
      data?.list.map(({ brand, glyph, logo }) => [brand, { glyph, ...(logo && { logo }) }]),
    );
    return { home, factsOf: (brand: string) => known.get(brand) };
  }, [data, home]);
  return <BrandFacesContext value={faces}>{children}</BrandFacesContext>;
}

interface LiveEventsProps {
  /** Environment whose events the stream contains. */
  readonly place: Pick<PosSession, "environment" | "training">;
}

/**
 * The live event stream of the signed-in person, which updates the query caches. The stream reopens
 * when training starts or ends, and when the shop goes live or back.
 */
export function LiveEvents({ place: { environment, training } }: LiveEventsProps) {
  return <EventStream key={`${environment} ${training}`} />;
}

function EventStream(): null {
  const queryClient = useQueryClient();
  useEffect(() => followEvents(queryClient), [queryClient]);
  return null;
}

function followEvents(queryClient: QueryClient): () => void {
  let source: EventSource | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;
  const followers = createSaleFollowers(queryClient);

  function open() {
    const stream = openStream(eventOperations.follow);
    const { listen } = stream;
    source = stream.source;
    source.addEventListener("open", () => {
      clearTimeout(grace);
      grace = undefined;
      setConnection("online");
      if (wasLost) {
        // Queries all visible data again, because the events during the gap are lost.
        wasLost = false;
        void queryClient.invalidateQueries();
      }
    });
    source.addEventListener("error", () => {
      wasLost = true;
      grace ??= setTimeout(() => setConnection("reconnecting"), GRACE_MS);
      // The browser reconnects automatically, except after a response that was no stream.
      if (source?.readyState === EventSource.CLOSED) {
        reopen = setTimeout(() => {
          void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
          open();
        }, REOPEN_MS);
      }
    });
    listen("sale", ({ saleId }) => {
      followers.notice();
      void receiveSale(queryClient, saleId);
    });
    listen("again", () => void queryClient.invalidateQueries());
    listen("wallet", () => {
      followers.notice();
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    });
    listen("shop", () => {
      followers.notice();
      void invalidateAnswers(queryClient, SHOP_ANSWERS);
    });
    listen("alerts", () => void invalidateAnswers(queryClient, [alertOperations.list]));
    listen("signed-out", () => queryClient.setQueryData(sessionQuery().queryKey, null));
  }

  open();
  return () => {
    clearTimeout(reopen);
    clearTimeout(grace);
    followers.stop();
    source?.close();
  };
}

async function receiveSale(queryClient: QueryClient, saleId: string): Promise<void> {
  const { queryKey } = saleQuery(saleId);
  const known = queryClient.getQueryData(queryKey);
  void invalidateAnswers(queryClient, [saleOperations.list, shiftOperations.readX]);
  // Refetches the sale even if no screen shows it: a pending print may need it.
  await queryClient.invalidateQueries({ queryKey, refetchType: "all" });
  const sale = queryClient.getQueryData(queryKey);
  if (!known || !sale || outcomes(known) !== outcomes(sale)) {
    void invalidateAnswers(queryClient, EARLIER_SALE_ANSWERS);
  }
  // Refreshes the back office's lists only for a sale that a screen showed, not for each sale.
  if (known && sale && outcomes(known) !== outcomes(sale)) {
    const { list, get } = transactionOfficeOperations;
    void invalidateAnswers(queryClient, [list, get]);
  }
}

/**
 * Returns a text of the outcomes of a sale's lines. If the text changes, lists of sales are queried
 * again.
 */
function outcomes(sale: Sale): string {
  return sale.lines.map(({ outcome }) => outcome).join();
}

/** The screen of the address, or the back office for people without permission to sell. */
export function OpenScreen({ session }: { readonly session: PosSession }) {
  const isOffice = useRouterState({
    select: ({ location }) => location.pathname.startsWith("/office"),
  });
  return isOffice || !isOfficeOnly(session) ? (
    <Outlet />
  ) : (
    <Navigate to={homeOf(session)} replace />
  );
}

function SkipLink() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.skip}
      onClick={() => {
        const main = document.querySelector("main");
        // At the counter, focuses the input of the current step.
        const field = main?.querySelector<HTMLElement>("[data-counter-field]") ?? main;
        if (field === main) {
          main?.setAttribute("tabindex", "-1");
        }
        field?.focus();
      }}
    >
      {t("app.skip")}
    </button>
  );
}

/**
 * A banner across the whole till during training, so that no screen is mistaken for a real sale.
 */
function TrainingBanner({ onEnd }: { readonly onEnd: () => void }) {
  const { t } = useTranslation();
  return (
    <section className={classes.banner} aria-label={t("training.label")} data-training="true">
      <span>
        <strong>{t("training.title")}</strong> {t("training.hint")}
      </span>
      <button type="button" className={classes.endTraining} onClick={onEnd}>
        {t("training.end")}
      </button>
    </section>
  );
}

export function useEnvironmentLeft(environment: Environment | undefined): void {
  const queryClient = useQueryClient();
  const { environment: left } = useBefore({ environment });
  useEffect(() => {
    if (left !== undefined && environment !== undefined && left !== environment) {
      void queryClient.resetQueries({ predicate: (query) => !isOfAnyPlace(query) });
    }
  }, [environment, left, queryClient]);
}

export function useTraining() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: train,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery().queryKey, session);
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
      await queryClient.resetQueries({ predicate: (query) => !isOfAnyPlace(query) });
    },
  });
}

type CommandPaletteProps = Omit<SellersPaletteProps, "opened" | "onClose" | "content">;

function CommandPalette(props: CommandPaletteProps) {
  return isOfficeOnly(props.session) ? null : <PaletteOpener {...props} />;
}

/** Buffers keystrokes until the palette's script has loaded. */
function PaletteOpener(props: CommandPaletteProps) {
  const [isOpen, setOpen] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const close = () => setOpen(false);
  useEffect(() => searchRequests.subscribe(() => setOpen(true)), []);
  useScreenKeys((event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      setOpen(true);
    }
  });
  useOpenDialog(isOpen, close, content);
  return useOnceTrue(isOpen) ? (
    <LateSellersPalette {...props} opened={isOpen} onClose={close} content={content} />
  ) : null;
}
