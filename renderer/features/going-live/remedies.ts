import type {
  CheckedForLive,
  GoingLiveCheck,
  OwnerConfirmation,
} from "../../../server/contract/pos/till-environment.ts";
import type { OfficeSectionName } from "../../lib/office-section.ts";

/** An action on this screen, another screen, or a command on the shop's machine. */
export type Remedy =
  | { readonly kind: "screen"; readonly to: RemedyScreen }
  | { readonly kind: "office"; readonly section: RemedySection; readonly view?: string }
  | { readonly kind: "gateway" }
  | { readonly kind: "confirm"; readonly what: OwnerConfirmation }
  | { readonly kind: "backup" }
  | { readonly kind: "prices" }
  | { readonly kind: "test-receipt" }
  | { readonly kind: "first-sale" };

export type RemedyScreen = "/" | "/shift" | "/printing";
export type RemedySection = Extract<
  OfficeSectionName,
  "settings" | "wallet" | "prices" | "staff" | "keys" | "webhooks"
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
  PRICES_COVER_COST: [{ kind: "office", section: "prices", view: "blocked" }],
  RATE_RECENT: [{ kind: "office", section: "prices", view: "rate" }],
  RATE_NEAR_REFERENCE: [{ kind: "office", section: "prices", view: "rate" }],
  PRICES_SEEN: [{ kind: "prices" }],
  WALLET_FUNDED: GATEWAY,
  WALLET_MATCHES_GATEWAY: GATEWAY,
  WALLET_COVERS_DAY: GATEWAY,
  ALERT_AMOUNT_SET: GATEWAY,
  ALERT_TESTED: [{ kind: "office", section: "settings", view: "mail" }],
  OWNER_PIN_CHANGED: [{ kind: "office", section: "staff" }],
  LIMITS_SET: [{ kind: "office", section: "staff" }],
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
  WEBHOOKS_ANSWER: [{ kind: "office", section: "webhooks" }],
  LIVE_KEYS_MADE: [{ kind: "office", section: "keys" }],
  KEYS_LIMITED: [{ kind: "office", section: "keys" }],
};

/** Returns no remedies for a check that has passed or is still running. */
export function remediesOf({ check, passed, figures }: CheckedForLive): readonly Remedy[] {
  return passed || figures.state === "UNDER_WAY" ? [] : (REMEDIES[check] ?? []);
}
