import type { WalletOverview } from "../../../../contract/pos/wallet-office.ts";
import type { WalletOfficeService } from "../../../office/wallet-office/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";
import type { StoredAlert } from "../alert-store.ts";

/** It is armed again this far above what it was opened at. */
const ARMED_AGAIN = 1.2;

/**
 * The wallet is low, by the owner's amount or hours, or empty (rules#alert-wallet). It stays open until it
 * is a fifth above, so that a balance that goes up and down at the limit is told of once.
 */
export function createWalletSource(deps: { walletOffice: WalletOfficeService }): AlertSource {
  return {
    kind: "WALLET",
    async find({ accountId, selling, open }) {
      const wallet = await deps.walletOffice.view({ accountId, environment: selling });
      const before = open.find(({ environment }) => environment === selling);
      const cause = causeOf(wallet, before);
      return cause ? [describe(wallet, cause)] : [];
    },
  };
}

type Cause = Extract<StoredAlert["cause"], `WALLET_${string}`>;

function causeOf(wallet: WalletOverview, before: StoredAlert | undefined): Cause | undefined {
  const { available, hoursLeft = Number.POSITIVE_INFINITY, alert, low } = wallet;
  const { lowAmount = 0, lowHours = 0 } = alert;
  if (low.includes("EMPTY")) return "WALLET_EMPTY";
  if (low.includes("AMOUNT")) return "WALLET_UNDER_AMOUNT";
  if (low.includes("HOURS")) return "WALLET_UNDER_HOURS";
  if (!before?.mark.endsWith(markOfLimits(wallet))) return undefined;
  if (available < lowAmount * ARMED_AGAIN) return "WALLET_UNDER_AMOUNT";
  return hoursLeft < lowHours * ARMED_AGAIN ? "WALLET_UNDER_HOURS" : undefined;
}

/** What the owner set: where it is another, the alert begins anew. */
function markOfLimits({ alert: { lowAmount = 0, lowHours = 0 } }: WalletOverview): string {
  return `${lowAmount} ${lowHours}`;
}

function describe(wallet: WalletOverview, cause: Cause): Finding {
  const { environment, available, currency, currencyDivisor, hoursLeft, alert } = wallet;
  const isEmpty = cause === "WALLET_EMPTY";
  return {
    environment,
    subject: "",
    cause,
    level: isEmpty ? "URGENT" : "SOON",
    mark: `${isEmpty ? "EMPTY" : "LOW"} ${markOfLimits(wallet)}`,
    facts: {
      amount: available,
      currency,
      currencyDivisor,
      ...(alert.lowAmount !== undefined && { limit: alert.lowAmount }),
      ...(hoursLeft !== undefined && { hours: Math.floor(hoursLeft) }),
    },
  };
}
