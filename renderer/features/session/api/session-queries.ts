import { queryOptions } from "@tanstack/react-query";
import type { PosSession, SignInInput, StaffNames } from "../../../../server/contract/pos/staff.ts";
import { request } from "../../../lib/api-client.ts";

export function staffNamesQuery() {
  return queryOptions({
    queryKey: ["staff-names"],
    queryFn: ({ signal }) => request<StaffNames>("GET", "/pos/staff/names", { signal }),
    staleTime: 0,
  });
}

export function signIn(input: SignInInput): Promise<PosSession> {
  return request<PosSession>("POST", "/pos/session", { body: input });
}

export function signOut(): Promise<void> {
  return request<void>("DELETE", "/pos/session");
}
