import type { Migration } from "kysely/migration";
import { migration001 } from "./001-foundation.ts";
import { migration002 } from "./002-product-families.ts";
import { migration003 } from "./003-catalog-indexes.ts";
import { migration004 } from "./004-webhooks.ts";
import { migration005 } from "./005-upstream.ts";
import { migration007 } from "./007-open-reconciliations.ts";
import { migration008 } from "./008-counter.ts";
import { migration009 } from "./009-shifts.ts";
import { migration010 } from "./010-staff-rights.ts";
import { migration011 } from "./011-printers.ts";
import { migration012 } from "./012-old-reports.ts";
import { migration013 } from "./013-time-zone.ts";
import { migration014 } from "./014-receipt-text.ts";
import { migration015 } from "./015-approved-deeds.ts";
import { migration016 } from "./016-unfinished-index.ts";
import { migration017 } from "./017-give-back-tenders.ts";
import { migration018 } from "./018-training.ts";
import { migration019 } from "./019-rate-date.ts";
import { migration023 } from "./023-approved-facts.ts";
import { migration024 } from "./024-sealed-slips.ts";
import { migration025 } from "./025-pin-guesses.ts";
import { migration026 } from "./026-printer-ports.ts";
import { migration027 } from "./027-checksums.ts";
import { migration028 } from "./028-commit-count.ts";
import { migration029 } from "./029-unknown-outcomes.ts";
import { migration031 } from "./031-open-attempts.ts";
import { migration032 } from "./032-sealed-answers.ts";
import { migration033 } from "./033-more-checksums.ts";
import { migration034 } from "./034-slips-by-shop.ts";
import { migration037 } from "./037-ledger-by-time.ts";
import { migration038 } from "./038-webhook-kinds.ts";
import { migration039 } from "./039-recharges-index.ts";
import { migration040 } from "./040-plain-names.ts";
import { migration041 } from "./041-transaction-counts.ts";
import { migration042 } from "./042-undelivered-index.ts";
import { migration043 } from "./043-audit-trail-by-time.ts";
import { migration047 } from "./047-frozen-lines.ts";
import { migration048 } from "./048-figure-sums.ts";
import { migration049 } from "./049-price-lists.ts";
import { migration051 } from "./051-jobs-by-revision.ts";
import { migration052 } from "./052-line-taxes.ts";
import { migration053 } from "./053-cash-rounding.ts";
import { migration054 } from "./054-recharge-payments.ts";
import { migration055 } from "./055-waiting-catalogs.ts";
import { migration057 } from "./057-wallet-statement.ts";
import { migration058 } from "./058-catalog-generations.ts";
import { migration059 } from "./059-catalog-choices.ts";
import { migration060 } from "./060-bulk-runs.ts";
import { migration062 } from "./062-accountants.ts";
import { migration063 } from "./063-shop-country.ts";
import { migration065 } from "./065-shop-reports.ts";
import { migration066 } from "./066-live-check-results.ts";
import { migration067 } from "./067-pilots.ts";
import { migration068 } from "./068-hook-address.ts";
import { migration069 } from "./069-alerts.ts";
import { migration071 } from "./071-catalog-imports.ts";
import { migration072 } from "./072-second-backup-place.ts";
import { migration073 } from "./073-shop-logo.ts";
import { migration074 } from "./074-tills.ts";
import { migration075 } from "./075-day-start.ts";
import { migration076 } from "./076-delivery-counts.ts";
import { migration077 } from "./077-shop-tenders.ts";
import { migration078 } from "./078-report-language.ts";
import { migration081 } from "./081-program-versions.ts";
import { migration085 } from "./085-brand-logos.ts";
import { migration086 } from "./086-receipt-pages.ts";
import { migration087 } from "./087-mails-made-when-sent.ts";
import { migration088 } from "./088-number-checks.ts";
import { migration089 } from "./089-devices.ts";
import { migration093 } from "./093-receipt-messages.ts";
import { migration094 } from "./094-sent-addresses.ts";
import { migration095 } from "./095-sent-receipts.ts";
import { migration096 } from "./096-job-leases.ts";
import { migration097 } from "./097-claims.ts";
import { migration098 } from "./098-shared-memory.ts";
import { migration099 } from "./099-report-parts.ts";
import { migration100 } from "./100-key-files.ts";
import { migration101 } from "./101-catalog-uploads.ts";
import { migration102 } from "./102-exports-begun.ts";
import { migration103 } from "./103-given-up-mails.ts";
import { migration105 } from "./105-drawer-pins.ts";
import { migration110 } from "./110-provider-answers.ts";
import { migration111 } from "./111-answer-alerts.ts";
import { migration115 } from "./115-purchase-keys.ts";
import { migration116 } from "./116-webhook-secrets.ts";
import { migration117 } from "./117-known-alert-kinds.ts";
import { migration120 } from "./120-failed-lines.ts";
import { migration121 } from "./121-recharge-reversals.ts";
import { migration122 } from "./122-cash-deposits.ts";
import { migration125 } from "./125-given-pins.ts";
import { migration126 } from "./126-kept-numbers.ts";
import { migration127 } from "./127-canonical-numbers.ts";
import { migration128 } from "./128-accepted-clock.ts";
import { migration130 } from "./130-recovery.ts";
import { migration135 } from "./135-print-records.ts";
import { migration136 } from "./136-printer-heads.ts";
import { migration140 } from "./140-commit-marks.ts";
import { migration141 } from "./141-unchecked-guesses.ts";
import { migration142 } from "./142-losses-by-sale.ts";

/**
 * The last one that is written for SQLite alone: `resources/postgres/schema.sql` is what they all come to. Those after it
 * are carried out on PostgreSQL too.
 */
export const BASELINE = "095-sent-receipts";

/** In order, frozen once released: a change is a new migration. */
export const migrations: Record<string, Migration> = {
  "001-foundation": migration001,
  "002-product-families": migration002,
  "003-catalog-indexes": migration003,
  "004-webhooks": migration004,
  "005-upstream": migration005,
  "007-open-reconciliations": migration007,
  "008-counter": migration008,
  "009-shifts": migration009,
  "010-staff-rights": migration010,
  "011-printers": migration011,
  "012-old-reports": migration012,
  "013-time-zone": migration013,
  "014-receipt-text": migration014,
  "015-approved-deeds": migration015,
  "016-unfinished-index": migration016,
  "017-give-back-tenders": migration017,
  "018-training": migration018,
  "019-rate-date": migration019,
  "023-approved-facts": migration023,
  "024-sealed-slips": migration024,
  "025-pin-guesses": migration025,
  "026-printer-ports": migration026,
  "027-checksums": migration027,
  "028-commit-count": migration028,
  "029-unknown-outcomes": migration029,
  "031-open-attempts": migration031,
  "032-sealed-answers": migration032,
  "033-more-checksums": migration033,
  "034-slips-by-shop": migration034,
  "037-ledger-by-time": migration037,
  "038-webhook-kinds": migration038,
  "039-recharges-index": migration039,
  "040-plain-names": migration040,
  "041-transaction-counts": migration041,
  "042-undelivered-index": migration042,
  "043-audit-trail-by-time": migration043,
  "047-frozen-lines": migration047,
  "048-figure-sums": migration048,
  "049-price-lists": migration049,
  "051-jobs-by-revision": migration051,
  "052-line-taxes": migration052,
  "053-cash-rounding": migration053,
  "054-recharge-payments": migration054,
  "055-waiting-catalogs": migration055,
  "057-wallet-statement": migration057,
  "058-catalog-generations": migration058,
  "059-catalog-choices": migration059,
  "060-bulk-runs": migration060,
  "062-accountants": migration062,
  "063-shop-country": migration063,
  "065-shop-reports": migration065,
  "066-live-check-results": migration066,
  "067-pilots": migration067,
  "068-hook-address": migration068,
  "069-alerts": migration069,
  "071-catalog-imports": migration071,
  "072-second-backup-place": migration072,
  "073-shop-logo": migration073,
  "074-tills": migration074,
  "075-day-start": migration075,
  "076-delivery-counts": migration076,
  "077-shop-tenders": migration077,
  "078-report-language": migration078,
  "081-program-versions": migration081,
  "085-brand-logos": migration085,
  "086-receipt-pages": migration086,
  "087-mails-made-when-sent": migration087,
  "088-number-checks": migration088,
  "089-devices": migration089,
  "093-receipt-messages": migration093,
  "094-sent-addresses": migration094,
  "095-sent-receipts": migration095,
  "096-job-leases": migration096,
  "097-claims": migration097,
  "098-shared-memory": migration098,
  "099-report-parts": migration099,
  "100-key-files": migration100,
  "101-catalog-uploads": migration101,
  "102-exports-begun": migration102,
  "103-given-up-mails": migration103,
  "105-drawer-pins": migration105,
  "110-provider-answers": migration110,
  "111-answer-alerts": migration111,
  "115-purchase-keys": migration115,
  "116-webhook-secrets": migration116,
  "117-known-alert-kinds": migration117,
  "120-failed-lines": migration120,
  "121-recharge-reversals": migration121,
  "122-cash-deposits": migration122,
  "125-given-pins": migration125,
  "126-kept-numbers": migration126,
  "127-canonical-numbers": migration127,
  "128-accepted-clock": migration128,
  "130-recovery": migration130,
  "135-print-records": migration135,
  "136-printer-heads": migration136,
  "140-commit-marks": migration140,
  "141-unchecked-guesses": migration141,
  "142-losses-by-sale": migration142,
};
