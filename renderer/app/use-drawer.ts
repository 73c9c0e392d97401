import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Shift } from "../../server/contract/pos/shifts.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { printersQuery } from "../features/receipts/api/printer-queries.ts";
import { openDrawer } from "../features/receipts/index.ts";
import { currentShiftQuery } from "../features/shift/api/shift-queries.ts";
import { listenForDrawer } from "../lib/drawer-requests.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { shortcutOf } from "../lib/key-edge.ts";
import { useScreenKeys } from "../lib/use-screen-keys.ts";

/**
 * Opens the drawer of this till for each booking that needs an open drawer, on any screen. Alt+O
 * opens the drawer without a sale, with a reason. A person without an open shift sees the form that
 * opens a shift.
 * @param session the signed-in person; without permission to sell, Alt+O has no effect
 */
export function useDrawer(session: PosSession | null | undefined) {
  const isSeller = session ? !isOfficeOnly(session) : false;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [shift, setShift] = useState<Shift>();

  function ask(): void {
    void queryClient
      .ensureQueryData(currentShiftQuery())
      .catch(() => undefined)
      .then((current) => (current?.shift ? setShift(current.shift) : navigate({ to: "/shift" })));
  }

  useEffect(
    () =>
      listenForDrawer((cause) => {
        void queryClient
          .ensureQueryData(printersQuery())
          .then(({ list }) => openDrawer(list, cause))
          // The clerk can open the drawer with its metal key if this fails.
          .catch(() => {});
      }),
    [queryClient],
  );

  useScreenKeys((event) => {
    if (isSeller && shortcutOf(event) === "KeyO") {
      event.preventDefault();
      ask();
    }
  });

  return { shift, ask, close: () => setShift(undefined) };
}
