import { whyWeak } from "../../server/contract/pos/pins.ts";
import type { Role } from "../../server/contract/pos/rights.ts";
import type { Translate } from "./i18n.ts";

const PIN = /^[0-9]{4,8}$/;

/** Returns the reason why a PIN is not allowed for a role. The gateway also refuses such a PIN. */
export function pinFault(pin: string, role: Role, t: Translate): string | undefined {
  if (!PIN.test(pin)) {
    return t(role === "owner" ? "setup.ownerPinInvalid" : "setup.pinInvalid");
  }
  switch (whyWeak(pin, role)) {
    case "SHORT":
      return t("setup.ownerPinInvalid");
    case "EASY":
      return t("setup.pinEasy");
    default:
      return undefined;
  }
}
