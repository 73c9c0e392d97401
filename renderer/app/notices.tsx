import { Button, CloseButton } from "@mantine/core";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SaleLink } from "../../electron/ipc/ipc-map.ts";
import { type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { storageOperations } from "../../server/contract/pos/storage.ts";
import { Notice } from "../components/notice.tsx";
import { listUnsentAttempts } from "../features/counter/sale/attempt/attempt-store.ts";
import { staffNamesQuery } from "../features/session/api/session-queries.ts";
import { useAnnounced } from "../lib/announcer.ts";
import { call } from "../lib/api-client.ts";
import { useConnection } from "../lib/connection-store.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { newId } from "../lib/new-id.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { saleQuery, sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import { restFocus } from "../lib/rest-focus.ts";
import { useFormat } from "../lib/use-format.ts";
import { walletOverviewQuery } from "../lib/wallet-overview-query.ts";
import classes from "./notices.module.css";
import shell from "./shell.module.css";

/** Notices above every screen of a signed-in person. */
export function Notices({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const connection = useConnection();
  return (
    <div className={shell.notices}>
      {connection === "reconnecting" ? (
        <div className={shell.notice}>
          <Notice tone="offline" loud>
            <strong>{t("app.unreachable.title")}</strong> {t("app.unreachable.short")}
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

interface ClosableNoticeProps extends ComponentProps<typeof Notice> {
  readonly onClose: () => void;
}

function ClosableNotice({ onClose, children, ...notice }: ClosableNoticeProps) {
  const { t } = useTranslation();
  return (
    <div className={shell.notice}>
      <Notice {...notice}>
        <div className="row gap-3">
          {children}
          <CloseButton
            className={classes.close}
            size="var(--touch)"
            iconSize="1.25rem"
            aria-label={t("common.close")}
            onClick={onClose}
          />
        </div>
      </Notice>
    </div>
  );
}

/**
 * Opens the sale of a link in the desktop program, after sign-in if the link arrived earlier. Shows
 * a notice if the sale does not exist or the person may not see it.
 */
function SaleLinkNotice() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [missing, setMissing] = useState<SaleLink>();
  useEffect(() => {
    async function open(link: SaleLink): Promise<void> {
      const sale = await findSale(queryClient, link);
      setMissing(sale === undefined ? link : undefined);
      if (sale) {
        const { saleId } = sale;
        await navigate({ to: "/today", search: { sale: saleId }, state: { visit: newId() } });
      }
    }
    return globalThis.window.tillgate?.onLink?.((link) => void open(link));
  }, [queryClient, navigate]);
  if (missing === undefined) {
    return null;
  }
  return (
    <div className={shell.notice}>
      <Notice tone="wait" loud>
        {t("app.link.missing", { sale: missing.number ?? missing.saleId })}{" "}
        <Button variant="default" onClick={() => setMissing(undefined)}>
          {t("app.link.close")}
        </Button>
      </Notice>
    </div>
  );
}

/**
 * Returns undefined for both a missing and a forbidden sale, so that the result does not reveal
 * which sales exist.
 */
async function findSale(
  queryClient: QueryClient,
  { number, saleId }: SaleLink,
): Promise<Sale | undefined> {
  try {
    if (saleId !== undefined) {
      return await queryClient.fetchQuery({ ...saleQuery(saleId), retry: false });
    }
    const { list } = await call(saleOperations.find, { query: { typed: String(number) } });
    return list.find(({ saleNumber }) => String(saleNumber) === number);
  } catch {
    return undefined;
  }
}

function SignInNotices({ session }: { readonly session: PosSession }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { notices } = session;
  if (!notices) {
    return null;
  }
  const { wrongPins, weakPin, wrongPinsOf = [] } = notices;

  function close() {
    const { notices: _, ...rest } = session;
    queryClient.setQueryData(sessionQuery().queryKey, rest);
  }

  return (
    <ClosableNotice tone="wait" loud onClose={close}>
      <div>
        {wrongPins === undefined ? null : (
          <p className={classes.line}>{t("signIn.wrongPins", { count: wrongPins })}</p>
        )}
        {wrongPinsOf.map(({ name, count }) => (
          <p key={name} className={classes.line}>
            {t("signIn.wrongPinsOf", { name, count })}
          </p>
        ))}
        {weakPin ? <p className={classes.line}>{t(`signIn.weakPin.${weakPin}`)}</p> : null}
      </div>
    </ClosableNotice>
  );
}

const ASK_EVERY_MS = 30_000;

function storageQuery() {
  return { ...operationQuery(storageOperations.get), refetchInterval: ASK_EVERY_MS };
}

/**
 * Reports failures of the database, so that no clerk takes money for a sale that cannot be stored.
 */
function StorageNotices() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data } = useQuery(storageQuery());
  const seen = useMutation({
    mutationFn: () => call(storageOperations.settleMissing),
    onSuccess: (answer) => queryClient.setQueryData(storageQuery().queryKey, answer),
  });
  if (!data) {
    return null;
  }
  const { fault, missing, booksBroken } = data;
  return (
    <>
      {fault ? (
        <div className={shell.notice}>
          <Notice tone="stop" loud>
            <strong>{t("app.storage.stopped")}</strong> {t(`app.storage.fault.${fault}`)}
          </Notice>
        </div>
      ) : null}
      {missing ? (
        <div className={shell.notice}>
          <Notice tone="bad" loud>
            <strong>
              {missing.transactions > 0
                ? t("app.storage.missing", { count: missing.transactions })
                : t("app.storage.missingSomething")}
            </strong>{" "}
            {t("app.storage.missingWhen", {
              since: format.moment(missing.since),
              until: format.moment(missing.until),
            })}{" "}
            <Button variant="default" loading={seen.isPending} onClick={() => seen.mutate()}>
              {t("app.storage.seen")}
            </Button>
          </Notice>
        </div>
      ) : null}
      {booksBroken ? (
        <div className={shell.notice}>
          <Notice tone="bad" loud>
            <strong>{t("app.storage.books")}</strong>{" "}
            {t("app.storage.booksNext", { time: format.moment(booksBroken.foundAt) })}
          </Notice>
        </div>
      ) : null}
    </>
  );
}

/**
 * Warns people with permission to see figures that the wallet is below the owner's limit. A closed
 * warning appears again if its reason changes (rules#wallet-alert).
 */
function WalletNotice({ session }: { readonly session: PosSession }) {
  const { rights, training, environment } = session;
  return rights.seeFigures && !training ? <LowWallet key={environment} /> : null;
}

function LowWallet() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(walletOverviewQuery());
  const [closed, setClosed] = useState("");
  const [cause] = data?.low ?? [];
  // The header already reports an empty wallet, to everybody.
  if (!data || cause === undefined || cause === "EMPTY" || closed === cause) {
    return null;
  }
  const { available, currency, currencyDivisor, hoursLeft = 0 } = data;
  return (
    <ClosableNotice tone="wait" loud onClose={() => setClosed(cause)}>
      <p className={classes.line}>
        {t(`app.walletLow.${cause}`, {
          amount: format.money(available, currency, currencyDivisor, "code"),
          hours: format.number(Math.round(hoursLeft)),
        })}
      </p>
    </ClosableNotice>
  );
}

/** Reports the pilot: its caps at the till that sells, the name of that till at all other tills. */
function PilotNotice({ session }: { readonly session: PosSession }) {
  const { data: status } = useQuery(statusQuery());
  if (!status?.pilot || isOfficeOnly(session)) {
    return null;
  }
  return status.pilot.isHere ? (
    <PilotHere key={session.staff.staffId} status={status} pilot={status.pilot} />
  ) : (
    <PilotThere pilot={status.pilot} />
  );
}

type Pilot = NonNullable<PosStatus["pilot"]>;

/** The person can close the notice until the next sign-in, because it covers the shop's name. */
function PilotHere({ status, pilot }: { readonly status: PosStatus; readonly pilot: Pilot }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isClosed, setClosed] = useState(false);
  const { currency, currencyDivisor } = status;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return isClosed ? null : (
    <ClosableNotice tone="info" onClose={() => setClosed(true)}>
      <p className={classes.line}>
        {t("goLive.pilot.here", {
          sale: money(pilot.mostPerSale),
          day: money(pilot.mostPerDay),
        })}
      </p>
    </ClosableNotice>
  );
}

function PilotThere({ pilot }: { readonly pilot: Pilot }) {
  const { t } = useTranslation();
  const till = pilot.till || t("goLive.pilot.someTill", { name: pilot.chosenBy });
  return (
    <div className={`${shell.notice} ${shell.low}`}>
      <Notice tone="wait">{t("goLive.pilot.there", { till })}</Notice>
    </div>
  );
}

interface UnsentOfOthersProps {
  readonly staffId: string;
}

/** Names the staff members whose paid sales this till has not sent yet: they must sign in. */
function UnsentOfOthers({ staffId }: UnsentOfOthersProps) {
  const { t } = useTranslation();
  const others = new Set(listUnsentAttempts().map((attempt) => attempt.staffId));
  others.delete(staffId);
  const { data } = useQuery({ ...staffNamesQuery(), enabled: others.size > 0 });
  const names = data?.list.filter((person) => others.has(person.staffId)) ?? [];
  return names.map(({ staffId: id, name }) => (
    <div key={id} className={shell.notice}>
      <Notice tone="wait">{t("app.unsentOf", { name })}</Notice>
    </div>
  ));
}

/** Key of the environment that a person at this till confirmed last. */
const STORAGE_KEY = "tillgate.environment";

interface EnvironmentNoticeProps {
  readonly session: Pick<PosSession, "environment" | "training">;
}

/**
 * Reports at every till that an owner took the shop live or back to test, until a person at the
 * till confirms the notice. A till that was off reports the change later.
 */
export function EnvironmentNotice({ session }: EnvironmentNoticeProps) {
  const { t } = useTranslation();
  const { environment, training } = session;
  /** Element that had the focus before the notice. */
  const before = useRef<Element>(null);
  // A till without a stored environment shows no notice.
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
    <div className={`${shell.notice} ${shell.low}`}>
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
