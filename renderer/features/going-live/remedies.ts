import type {
  CheckedForLive,
  GoingLiveCheck,
  OwnerConfirmation,
} from "../../../server/contract/pos/till-environment.ts";
import type { OfficeSectionName } from "../../lib/office-section.ts";

/** What can be done about a check: here, on another screen, or with a command on the shop's machine. */
export type Remedy =
  | { readonly kind: "screen"; readonly to: RemedyScreen }
  | { readonly kind: "office"; readonly section: RemedySection; readonly view?: string }
  | { readonly kind: "gateway" }
  | { readonly kind: "rate" }
  | { readonly kind: "confirm"; readonly what: OwnerConfirmation }
  | { readonly kind: "backup" }
  | { readonly kind: "prices" }
  | { readonly kind: "test-receipt" }
  | { readonly kind: "first-sale" };

export type RemedyScreen = "/" | "/shift" | "/staff" | "/printing";
export type RemedySection = Extract<
  OfficeSectionName,
  "settings" | "wallet" | "reports" | "prices"
>;

const GATEWAY: readonly Remedy[] = [{ kind: "gateway" }];

const REMEDIES: Partial<Record<GoingLiveCheck, readonly Remedy[]>> = {
  SHIFTS_CLOSED: [{ kind: "screen", to: "/shift" }],
  GATEWAY_ANSWERS: GATEWAY,
  GATEWAY_CURRENCY: GATEWAY,
  CLOCKS_EQUAL: GATEWAY,
  GATEWAY_KEY_LIVE: GATEWAY,
  GATEWAY_ENCRYPTED: GATEWAY,
  CATALOG_SYNCED: GATEWAY,
  CATALOG_FOR_COUNTRY: GATEWAY,
  SYNC_READ: [{ kind: "gateway" }, { kind: "confirm", what: "SYNC_READ" }],
  PRICES_COVER_COST: [{ kind: "rate" }, { kind: "office", section: "prices", view: "blocked" }],
  RATE_RECENT: [{ kind: "rate" }],
  RATE_NEAR_REFERENCE: [{ kind: "rate" }],
  PRICES_SEEN: [{ kind: "prices" }],
  WALLET_FUNDED: GATEWAY,
  WALLET_MATCHES_GATEWAY: GATEWAY,
  WALLET_COVERS_DAY: GATEWAY,
  ALERT_AMOUNT_SET: GATEWAY,
  ALERT_TESTED: [{ kind: "office", section: "reports", view: "mail" }],
  OWNER_PIN_CHANGED: [{ kind: "screen", to: "/staff" }],
  LIMITS_SET: [{ kind: "screen", to: "/staff" }],
  BACKUP_RESTORED: [{ kind: "backup" }],
  DISK_HAS_ROOM: [{ kind: "office", section: "settings", view: "backups" }],
  TIME_ZONE_CONFIRMED: [
    { kind: "confirm", what: "TIME_ZONE_CONFIRMED" },
    { kind: "office", section: "settings", view: "shop" },
  ],
  FIRST_SALE: [{ kind: "first-sale" }],
  PRACTISED: [{ kind: "screen", to: "/" }],
  RECEIPT_FILLED: [{ kind: "screen", to: "/printing" }],
  RECEIPT_TESTED: [{ kind: "test-receipt" }, { kind: "confirm", what: "RECEIPT_TESTED" }],
  DRAWER_OPENED: [
    { kind: "screen", to: "/printing" },
    { kind: "confirm", what: "DRAWER_OPENED" },
  ],
  WEBHOOKS_ANSWER: [{ kind: "office", section: "settings", view: "webhooks" }],
  LIVE_KEYS_MADE: [{ kind: "office", section: "settings", view: "keys" }],
  KEYS_LIMITED: [{ kind: "office", section: "settings", view: "keys" }],
};

/** Nothing where it is in order. What is under way is waited for. */
export function remediesOf({ check, passed, figures }: CheckedForLive): readonly Remedy[] {
  return passed || figures.state === "UNDER_WAY" ? [] : (REMEDIES[check] ?? []);
}
