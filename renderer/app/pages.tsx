import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Navigate, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../server/contract/common.ts";
import type { Family } from "../../server/contract/pos/families.ts";
import type { PosStatus } from "../../server/contract/pos/setup.ts";
import { FIRST_TENDERS } from "../../server/contract/pos/shop-tenders.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { familyOfParam, paramOfFamily } from "../features/counter/families/family-address.ts";
import { type Attempt, findLeftBasket } from "../features/counter/sale/attempt/attempt-store.ts";
import type { TillPlace } from "../features/counter/sale/attempt/till.ts";
import { ShiftGate } from "../features/shift/components/shift-gate.tsx";
import { useApproval } from "../lib/approval-context.ts";
import { sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import { PrintContext } from "../lib/print-context.ts";
import { useTitle } from "../lib/use-title.ts";
import { useCustomerDisplay } from "./customer-display.tsx";
import {
  LateCounterScreen,
  LateLeftBasketScreen,
  LateNoShift,
  LateOfficePage,
  LatePrintingScreen,
  LateShiftScreen,
  LateTodayScreen,
} from "./late-parts.ts";
import { fetchReports, printSaleReceipt } from "./printing.ts";
import { useSaleOpener } from "./use-sale-opener.ts";
import { useThingFinder } from "./use-thing-finder.ts";

function usePrint() {
  const queryClient = useQueryClient();
  const approve = useApproval();
  return (saleId: string) => printSaleReceipt(queryClient, approve, saleId);
}

export function CounterPage() {
  const { data: status } = useQuery(statusQuery());
  const { data: session } = useQuery(sessionQuery());
  return status && session ? <CounterOf status={status} session={session} /> : null;
}

interface CounterOfProps {
  readonly status: PosStatus;
  readonly session: PosSession;
}

function CounterOf({ status, session }: CounterOfProps) {
  const { t } = useTranslation();
  const { sell, ...wish } = useSearch({ from: "/" });
  const isWished = wish.find !== undefined || wish.number !== undefined || wish.held !== undefined;
  const named = useNamedFamily(familyOfParam(sell));
  const navigate = useNavigate();
  const onPrint = usePrint();
  const { show: showCustomer, code: display } = useCustomerDisplay();
  useTitle(t(`family.${familyOfParam(sell)}.tab`));
  // Reads training and environment from a single response, so that both change together.
  const { training, environment: sells } = session;
  const { staffId } = session.staff;
  const shop = { staffId, environment: sells, training };
  const { environment, left, onPaying, onLeftEmpty } = useCounterPlace(shop);
  const finder = useThingFinder(status);
  const onSale = useSaleOpener();
  if (left) {
    return <LateLeftBasketScreen key={left.saleId} attempt={left} onEmpty={onLeftEmpty} />;
  }
  return (
    <ShiftGate
      training={training || environment !== sells}
      currency={status.currency}
      currencyDivisor={status.currencyDivisor}
    >
      <LateCounterScreen
        key={`${staffId} ${environment} ${training}`}
        till={{
          staffId,
          environment,
          training,
          currency: status.currency,
          currencyDivisor: status.currencyDivisor,
          cashStep: status.cashStep,
          tenders: status.tenders ?? FIRST_TENDERS,
          country: status.country,
          display,
        }}
        family={named.family}
        asked={named.asked}
        onFamily={(family, asked) =>
          void navigate({ to: "/", search: { sell: paramOfFamily(family) }, state: { asked } })
        }
        wish={isWished ? wish : undefined}
        onWishTaken={() => void navigate({ to: "/", search: { sell }, replace: true })}
        onCustomerSide={showCustomer}
        onPaying={onPaying}
        finder={finder}
        onSale={onSale}
        onPrint={onPrint}
      />
    </ShiftGate>
  );
}

/** Reads the family from the location, because the router renders a new address with a delay. */
function useNamedFamily(shown: Family) {
  const family = useLocation({
    select: ({ pathname, search }) =>
      pathname === "/" ? familyOfParam((search as { readonly sell?: unknown }).sell) : undefined,
  });
  const asked = useLocation({ select: ({ state }) => state.asked });
  return { family: family ?? shown, asked };
}

export function PrintingPage() {
  useTitle(useTranslation().t("nav.printing"));
  const { data: status } = useQuery(statusQuery());
  const { data: session } = useQuery(sessionQuery());
  const prints = usePrints();
  return status && session ? (
    <PrintContext value={prints}>
      <LatePrintingScreen
        isOwner={session.staff.role === "owner"}
        mayOpenDrawer={session.rights.noSale && !session.training}
        shopName={status.shopName}
        language={status.language}
      />
    </PrintContext>
  ) : null;
}

export function TodayPage() {
  useTitle(useTranslation().t("nav.today"));
  const { sale, find = "" } = useSearch({ from: "/today" });
  const visit = useLocation({ select: ({ state }) => state.visit });
  return (
    <LateTodayScreen key={`${sale} ${visit}`} onPrint={usePrint()} wanted={sale} search={find} />
  );
}

export function ShiftPage() {
  useTitle(useTranslation().t("nav.shift"));
  const queryClient = useQueryClient();
  const { data: status } = useQuery(statusQuery());
  const { data: session } = useQuery(sessionQuery());
  const approve = useApproval();
  if (!status || !session) {
    return null;
  }
  if (session.training) {
    return <LateNoShift />;
  }
  return (
    <LateShiftScreen
      key={session.staff.staffId}
      staff={session.staff}
      till={{ currency: status.currency, currencyDivisor: status.currencyDivisor }}
      onPrint={(zNumber) =>
        fetchReports().then((print) => print.printZReport(queryClient, approve, zNumber))
      }
      onPrintX={(x) => fetchReports().then((print) => print.printXReport(queryClient, x))}
    />
  );
}

export function StaffPage() {
  return <Navigate to="/office/$section" params={{ section: "staff" }} replace />;
}

export function AuditPage() {
  return (
    <Navigate
      to="/office/$section"
      params={{ section: "staff" }}
      search={{ view: "trail" }}
      replace
    />
  );
}

function usePrints() {
  const queryClient = useQueryClient();
  const approve = useApproval();
  return {
    printSale: (saleId: string) => printSaleReceipt(queryClient, approve, saleId),
    printZReport: (zNumber: number) =>
      fetchReports().then((print) => print.printZReport(queryClient, approve, zNumber)),
    printTestReceipt: () => fetchReports().then((print) => print.printTestReceipt(queryClient)),
  };
}

export function OfficePage() {
  return (
    <PrintContext value={usePrints()}>
      <LateOfficePage />
    </PrintContext>
  );
}

interface CounterPlace {
  readonly environment: Environment;
  /**
   * A sale that was started in this window before the shop changed its environment. The clerk must
   * hold or remove it first.
   */
  readonly left: Attempt | undefined;
  readonly onPaying: (paying: boolean) => void;
  readonly onLeftEmpty: () => void;
}

/**
 * Switches the counter to the shop's environment when the basket is empty. During a payment the
 * counter keeps its environment, so that no response is lost (rules#live-begun-sale).
 * @param shop the till's person, and the shop's current environment
 */
export function useCounterPlace(shop: TillPlace): CounterPlace {
  const [paysIn, setPaysIn] = useState<Environment>();
  const [, lookAgain] = useState(0);
  const environment = paysIn ?? shop.environment;
  return {
    environment,
    left: findLeftBasket({ ...shop, environment }),
    onPaying: (paying) => setPaysIn(paying ? environment : undefined),
    onLeftEmpty: () => lookAgain((times) => times + 1),
  };
}
