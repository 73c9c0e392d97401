import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DisplayView } from "../../server/contract/pos/displays.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import type { AskedNumber, CustomerSide } from "../features/counter/sale/shown/customer-side.ts";
import {
  findDisplayCode,
  forgetDisplayCode,
  renewDisplayCode,
} from "../features/display/display-code.ts";
import { usePublishedView } from "../features/display/use-published-view.ts";
import { BrandFacesContext, type BrandFacesHere } from "../lib/brand-faces.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { isLanguage } from "../lib/i18n.ts";
import { late } from "../lib/late.tsx";
import { statusQuery } from "../lib/pos-queries.ts";
import { noteDisplay, useReceiptOnDisplay } from "../lib/receipt-on-display.ts";
import { useOnceTrue } from "../lib/use-before.ts";

export interface CustomerDisplay {
  readonly show: (side: CustomerSide) => void;
  readonly openSettings: () => void;
  /** The code of this till's display; undefined without one. */
  readonly code: string | undefined;
}

export const CustomerDisplayContext = createContext<CustomerDisplay>({
  show: () => undefined,
  openSettings: () => undefined,
  code: undefined,
});

/** Returns the customer display. Its content stays until the next call of `show`. */
export function useCustomerDisplay(): CustomerDisplay {
  return useContext(CustomerDisplayContext);
}

export const IDLE_SIDE: CustomerSide = { phase: "IDLE", lines: [], total: 0 };

/** Loaded late: few tills have a customer display. */
export const LateDisplayDialog = late(
  async () => (await import("../features/display/components/display-dialog.tsx")).DisplayDialog,
);

interface CustomerDisplayProviderProps {
  readonly session: PosSession;
  readonly children: ReactNode;
}

export function CustomerDisplayProvider({ session, children }: CustomerDisplayProviderProps) {
  const { i18n } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  const [code, setCode] = useState(findDisplayCode);
  const [side, setSide] = useState(IDLE_SIDE);
  const faces = useContext(BrandFacesContext);
  useEndInTime(side, setSide);
  const { idleAt: _, ask, ...shown } = side;
  const [isOpen, setOpen] = useState(false);
  const { link: receiptLink } = useReceiptOnDisplay();
  useEffect(() => noteDisplay(code !== undefined), [code]);
  const wasOpened = useOnceTrue(isOpen);
  const view: DisplayView | undefined = status && {
    ...shown,
    ...(receiptLink !== undefined && { receiptLink }),
    lines: shown.lines.map(({ brand, ...line }) => ({ ...line, ...faces.factsOf(brand) })),
    ...(ask && { ask: askFaced(ask, faces) }),
    shopName: status.shopName,
    language: isLanguage(i18n.language) ? i18n.language : status.language,
    training: session.training,
    test: status.environment === "test" && !session.training,
    currency: status.currency,
    currencyDivisor: status.currencyDivisor,
  };
  // Publishes nothing while the signed-in person cannot sell.
  usePublishedView(isOfficeOnly(session) ? undefined : code, view);
  const [does] = useState(() => ({
    show: (next: CustomerSide) => setSide(inTime(next)),
    openSettings: () => setOpen(true),
  }));
  const display = useMemo(() => ({ ...does, code }), [does, code]);
  return (
    <CustomerDisplayContext value={display}>
      {children}
      {wasOpened ? (
        <LateDisplayDialog
          opened={isOpen}
          onClose={() => setOpen(false)}
          code={code}
          onRenew={() => setCode(renewDisplayCode())}
          onOff={() => {
            forgetDisplayCode();
            setCode(undefined);
          }}
        />
      ) : null}
    </CustomerDisplayContext>
  );
}

function askFaced({ brand, ...ask }: AskedNumber, faces: BrandFacesHere) {
  return { ...ask, ...faces.factsOf(brand) };
}

export function inTime(side: CustomerSide): CustomerSide {
  return side.idleAt !== undefined && side.idleAt <= Date.now() ? IDLE_SIDE : side;
}

export function useEndInTime({ idleAt }: CustomerSide, show: (side: CustomerSide) => void): void {
  useEffect(() => {
    if (idleAt === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => show(IDLE_SIDE), idleAt - Date.now());
    return () => clearTimeout(timer);
  }, [idleAt, show]);
}
