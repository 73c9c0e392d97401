import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { startI18n } from "../lib/i18n.ts";
import { sessionQuery } from "../lib/pos-queries.ts";
import { AuditPage, StaffPage } from "./pages.tsx";
import { OpenScreen } from "./shell.tsx";

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ addEventListener() {}, removeEventListener() {} }));
  startI18n("en");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const session = { staff: { staffId: "a", name: "Ada", role: "accountant" } } as PosSession;

describe("a forbidden address, opened by an accountant", () => {
  it.each(["/staff", "/audit-trail", "/"])(
    "%s redirects to the back office only once",
    async (path) => {
      const rootRoute = createRootRoute({ component: () => <OpenScreen session={session} /> });
      const page = (path: string, component: () => React.ReactNode) =>
        createRoute({ getParentRoute: () => rootRoute, path, component });
      const routeTree = rootRoute.addChildren([
        page("/", () => <p>The counter</p>),
        page("/staff", StaffPage),
        page("/audit-trail", AuditPage),
        page("/office", () => <p>The back office</p>),
        page("/office/$section", () => <p>The back office</p>),
      ]);
      const history = createMemoryHistory({ initialEntries: [path] });
      const router = createRouter({ routeTree, history });
      const moves = vi.fn<() => void>();
      history.subscribe(moves);
      const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
      client.setQueryData(sessionQuery().queryKey, session);
      render(
        <MantineProvider env="test">
          <QueryClientProvider client={client}>
            <RouterProvider router={router as never} />
          </QueryClientProvider>
        </MantineProvider>,
      );
      await screen.findByText("The back office");
      expect(history.location.pathname).toMatch(/^\/office(\/staff)?$/);
      expect(moves.mock.calls.length).toBeLessThan(5);
    },
  );
});
