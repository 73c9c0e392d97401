import { Navigate, Outlet, useRouterState } from "@tanstack/react-router";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { homeOf, isOfficeOnly } from "../lib/has-office.ts";

/** The screen of the address; for a person who sells nothing the back office, whatever it says. */
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
