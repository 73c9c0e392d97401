import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  redirect,
  type SearchSchemaInput,
} from "@tanstack/react-router";
import {
  familyOfParam,
  paramOfFamily,
  type SellParam,
} from "../features/counter/families/index.ts";
import type { CounterWish } from "../features/counter/families/interface/counter-wish.ts";
import type { OfficeSearch } from "../lib/office-section.ts";
import { CrashedScreen } from "./crashed-screen.tsx";
import {
  AuditPage,
  CounterPage,
  OfficePage,
  PrintingPage,
  ShiftPage,
  StaffPage,
  TodayPage,
} from "./pages.tsx";
import { Shell } from "./shell.tsx";

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
    // Digits alone are read as a number from an address.
    ...((typeof number === "string" || typeof number === "number") && { number: String(number) }),
  }),
  component: CounterPage,
});

const todayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/today",
  // A sale that was found elsewhere, and the digits by which Today finds it.
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

/** Where "Test and live" once was. */
const goingLiveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/test-and-live",
  beforeLoad: () => {
    throw redirect({ to: "/office/$section", params: { section: "live" } }) as unknown as Error;
  },
});

/** The back office begins with the first section that the person may open. */
const officeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/office",
  component: OfficePage,
});

const officeSectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/office/$section",
  // Each section knows what it looks for; digits alone are read as a number from an address.
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): OfficeSearch =>
    Object.fromEntries(
      Object.entries(search).flatMap(([name, value]) =>
        typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
      ),
    ),
  component: OfficePage,
});

/** Any other address leads to the counter. */
const elsewhereRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$",
  beforeLoad: () => {
    throw redirect({ to: "/" }) as unknown as Error;
  },
});

/** The screen stands behind a "#", so the gateway serves one page whatever is reloaded. */
export const router = createRouter({
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
    /** A new value each time a clerk looks for a sale: the same may be looked for again. */
    readonly visit?: string;
    /** The request of the counter that named the family. */
    readonly asked?: number;
  }
}
