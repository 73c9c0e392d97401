import type {
  CheckedForLive,
  GoingLiveCheck,
  Practice,
} from "../../../contract/pos/till-environment.ts";
import { describeAmount } from "../../../lib/money.ts";

type Figures = CheckedForLive["figures"];

/** How each check reads when it passed, and when it did not: what is missing, and what to do. */
const WORDS: Record<GoingLiveCheck, { good: string; missing: string }> = {
  SHIFTS_CLOSED: {
    good: "No shift is open.",
    missing: "A shift is open: {names}. Close it first, under Shift (F7).",
  },
  GATEWAY_CONNECTED: {
    good: "A gateway is connected: {url}.",
    missing: "No gateway is connected to live. Connect it: tillgate upstream connect --env live.",
  },
  GATEWAY_ANSWERS: {
    good: "The gateway answers and takes the key.",
    missing: "The gateway has not answered within the hour. {reason}",
  },
  GATEWAY_CURRENCY: {
    good: "The gateway keeps its money in the currency of your wallet, {ours}.",
    missing:
      "The gateway keeps its money in {theirs}, your wallet in {ours}. Connect one that keeps it in {ours}.",
  },
  CLOCKS_EQUAL: {
    good: "The gateway's clock and this one agree.",
    missing: "The gateway's clock and this one do not agree{apart}. Set this machine's clock.",
  },
  GATEWAY_KEY_LIVE: {
    good: "The gateway's key is not one of its test environment.",
    missing:
      "The gateway's key is one of its test environment (test_…), where nothing that is sold is real. Connect with the live one: tillgate upstream connect --env live.",
  },
  CATALOG_SYNCED: {
    good: "Its catalog is here.",
    missing: "Its catalog has not been fetched yet: tillgate upstream sync --env live. {reason}",
  },
  CATALOG_HAS_OFFERS: {
    good: "Offers that can be sold: {offers}.",
    missing: "Its catalog has no offer that can be sold.",
  },
  SYNC_READ: {
    good: "The report of its catalog was read.",
    missing:
      "Nobody has read what its catalog brought: {offers} new and changed offers, {leftOut} left out. Confirm it under Test and live.",
  },
  PRICES_SEEN: {
    good: "The largest differences of prices were seen.",
    missing:
      "Nobody has seen which prices differ most from the suggested ones. Look at them under Test and live.",
  },
  PRICES_COVER_COST: {
    good: "No price is below what the wallet pays.",
    missing: "Offers priced below what the wallet pays: {offers}, {example} first.",
  },
  RATE_RECENT: {
    good: "The exchange rate is younger than 7 days: {rate}.",
    missing:
      "The exchange rate {rate} is of {date}, older than 7 days. Set today's: tillgate settings set --rate.",
  },
  WALLET_FUNDED: {
    good: "The live wallet holds {available}.",
    missing:
      "The live wallet is empty. Book what you paid in: tillgate wallet recharge --env live.",
  },
  OWNER_PIN_CHANGED: {
    good: "The PIN of set-up was changed.",
    missing: "{name} still has the PIN of set-up. Change it, under Staff (F10).",
  },
  BACKUP_MADE: {
    good: "There is a backup of {at}.",
    missing: "There is no backup yet: tillgate backup now. {reason}",
  },
  BACKUP_RESTORED: {
    good: "A backup was restored into a file of its own on {at}: {sales} sales.",
    missing: "{outcome}",
  },
  BOOKS_SOUND: {
    good: "The database can be written, and its books are in order.",
    missing: "The database is not in order: tillgate audit. {reason}",
  },
  DISK_HAS_ROOM: {
    good: "The disk has room.",
    missing: "The disk has only {free} GB left. It takes 2 GB.",
  },
  TIME_ZONE_SET: {
    good: "The shop's time zone is {timeZone}.",
    missing: "The shop has no time zone: tillgate settings set --time-zone.",
  },
  TIME_ZONE_CONFIRMED: {
    good: "The shop's time zone is {timeZone}.",
    missing: "Nobody has confirmed the shop's time zone, {timeZone}. Do so under Test and live.",
  },
  FIRST_SALE: {
    good: "The first live sale arrived: {brand} to {recipient}. Both sides paid {cost}.",
    missing: "{outcome}",
  },
  PRACTISED: {
    good: "Sales were practised in the test environment.",
    missing: "Not practised in the test environment yet: {missing}.",
  },
  GATEWAY_ENCRYPTED: {
    good: "The gateway is spoken to encrypted.",
    missing: "The gateway is spoken to without encryption: {url}.",
  },
  CATALOG_COMPLETE: {
    good: "The last sync took in everything.",
    missing: "Records that the last sync left out: {leftOut}. {reason}",
  },
  CATALOG_FOR_COUNTRY: {
    good: "There are offers for the shop's own country.",
    missing: "There is no offer for the shop's own country, {country}.",
  },
  RATE_NEAR_REFERENCE: {
    good: "The exchange rate is near the reference of {date}.",
    missing: "The exchange rate {rate} is more than 5% from the reference of {date}, {reference}.",
  },
  WALLET_MATCHES_GATEWAY: {
    good: "The gateway holds as much as your wallet.",
    missing: "The gateway holds {there}, your wallet {here}.",
  },
  WALLET_COVERS_DAY: {
    good: "The live wallet lasts for {days} days like those in test.",
    missing:
      "The live wallet lasts for {days} days like those in test, which cost {average} each. Recharge it.",
  },
  ALERT_AMOUNT_SET: {
    good: "There is a warning before the live wallet is empty.",
    missing:
      "Nobody is warned before the live wallet is empty. Set an amount under Test and live, Provider.",
  },
  ALERT_TESTED: {
    good: "A test mail was sent.",
    missing: "No test mail was sent yet: alerts may reach nobody. Send one under Reports.",
  },
  LIMITS_SET: {
    good: "Every clerk has a limit.",
    missing: "Clerks who sell without any limit: {people}. Set limits under Staff (F10).",
  },
  BACKUP_RECENT: {
    good: "The last backup is younger than two days.",
    missing: "The last backup is of {at}: tillgate backup now. {reason}",
  },
  QUEUE_ON: {
    good: "What cannot be delivered at once is tried again for 24 hours.",
    missing:
      "What cannot be delivered at once is not tried again: tillgate settings set --env live --queue on.",
  },
  RECEIPT_FILLED: {
    good: "Receipts say where the shop is and who helps.",
    missing:
      "Receipts do not say where the shop is or who helps: tillgate settings set --receipt-address --receipt-support.",
  },
  RECEIPT_TESTED: {
    good: "A test receipt was printed.",
    missing: "No test receipt was printed yet. Print one under Test and live.",
  },
  DRAWER_OPENED: {
    good: "The cash drawer was tried.",
    missing: "Nobody has tried whether the cash drawer opens.",
  },
  WEBHOOKS_ANSWER: {
    good: "Nobody who is told of live sales fails to answer.",
    missing: "Webhooks of live that do not answer: {failing}.",
  },
  LIVE_KEYS_MADE: {
    good: "There is an API key for live.",
    missing: "Programs buy in test, and none has an API key for live: tillgate keys create.",
  },
  KEYS_LIMITED: {
    good: "No live API key may be used from any address.",
    missing: "Live API keys that may be used from any address: {names}.",
  },
};

const PRACTICE_WORDS: Record<Practice, string> = {
  DELIVERED: "a delivered sale",
  FAILED: "a sale that fails",
  WAITED: "a sale that waits",
  CUSTOMER_REFUND: "money handed back",
  SHIFT_CLOSED: "a closed shift",
};

/** How far it is, as the figure `state` says. */
const OUTCOME_WORDS: Partial<Record<GoingLiveCheck, Record<string, string>>> = {
  BACKUP_RESTORED: {
    "": "No backup was ever restored. Try one under Test and live.",
    UNDER_WAY: "A backup is being made and tried.",
  },
  FIRST_SALE: {
    NONE: "Nothing was sold live yet. Make the first sale under Test and live: the cheapest offer to your own number.",
    UNDER_WAY: "The first live sale is under way: {brand} to {recipient}.",
    FAILED: "The first live sale failed: {brand} to {recipient}. {reason}",
    DIFFERS:
      "The first live sale arrived and cost {cost}, but the gateway took {there} and your wallet {here}. Ask the provider.",
  },
};

/** Figures that are amounts, in minor units. */
const AMOUNTS = new Set(["available", "average", "cost", "there", "here"]);

/** One line for people. */
export function wordCheck(check: GoingLiveCheck, passed: boolean, figures: Figures): string {
  const { good, missing } = WORDS[check];
  const said = passed ? good : missing;
  const outcome = OUTCOME_WORDS[check]?.[String(figures.state)] ?? "";
  const text = said
    .replace("{outcome}", outcome)
    .replace(/\{(\w+)\}/g, (_, name: string) => wordFigure(check, name, figures));
  return text.trim();
}

function wordFigure(check: GoingLiveCheck, name: string, figures: Figures): string {
  const figure = figures[name] ?? "";
  const { currency, currencyDivisor, seconds = "" } = figures;
  if (name === "apart") return seconds === "" ? "" : `: ${seconds} seconds apart`;
  if (AMOUNTS.has(name) && typeof currency === "string") {
    return describeAmount(Number(figure), { currency, currencyDivisor: Number(currencyDivisor) });
  }
  if (check === "PRACTISED" && name === "missing" && figure !== "") {
    const practices = String(figure).split(",") as Practice[];
    return practices.map((practice) => PRACTICE_WORDS[practice]).join(", ");
  }
  return String(figure);
}
