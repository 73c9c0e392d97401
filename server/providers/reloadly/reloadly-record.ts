import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { Exact, toMinor } from "../../lib/money.ts";
import { FieldReader } from "../field-reader.ts";
import type { Order, Reading } from "../provider.ts";

/** Statuses of a top-up. After REFUNDED and FAILED, nothing was charged. */
type TopupState = "SUCCESSFUL" | "PROCESSING" | "REFUNDED" | "FAILED";

const STATES: readonly TopupState[] = ["SUCCESSFUL", "PROCESSING", "REFUNDED", "FAILED"];

interface TopupDetails {
  fulfilment: Fulfilment;
  /** Charge in minor units, rounded up; undefined if unstated. */
  cost: number | undefined;
  costCurrency: string;
}

/**
 * Reads a top-up. `customIdentifier`, the recipient and `status` determine the decision.
 * @param now time of the confirmation, because `transactionDate` has no zone
 */
export function readTopup(
  order: Order,
  body: unknown,
  now: number,
): Reading<TopupState, TopupDetails> {
  const reader = new FieldReader(body);
  const isNamed = reader.text("customIdentifier", "needed") === order.transactionId;
  if (!isNamed) reader.note("customIdentifier", "DIFFERS", true);
  const isOwn = isNamed && isForRecipient(order, reader);
  const word = reader.word("status", "needed");
  const state = STATES.find((known) => known === word);
  if (word !== "" && !state) reader.note("status", "DIFFERS", true);
  const details = {
    fulfilment: {
      confirmation: {
        confirmationNumber: readId(reader),
        externalReferenceId: reader.text("operatorTransactionId"),
        transactionTime: toTimestamp(now),
      },
    },
    ...readCharge(order, reader),
  };
  return { decided: isOwn ? state : undefined, details, deviations: reader.deviations };
}

/**
 * Another shop of the same account may have used the identifier. A recipient that is absent or
 * unreadable decides nothing.
 */
function isForRecipient({ recipient }: Order, reader: FieldReader): boolean {
  const phone = reader.raw("recipientPhone");
  const isText = typeof phone === "string" || typeof phone === "number";
  const stated = isText ? String(phone).replaceAll(/\D/g, "") : "";
  const isSame = stated.length < 6 || recipient.replaceAll(/\D/g, "").endsWith(stated);
  if (!isSame) reader.note("recipientPhone", "DIFFERS", true);
  return isSame;
}

/** The id is documented as a number, so a number is no deviation. */
function readId(reader: FieldReader): string {
  const id = reader.raw("transactionId");
  return typeof id === "number" ? String(id) : reader.text("transactionId", "expected");
}

/** Digits after these are errors of binary fractions. */
const CHARGE_DECIMALS = 6;

/** The charge may have more decimals than its currency. */
function readCharge({ offer }: Order, reader: FieldReader) {
  const account = reader.part("balanceInfo");
  const cost = account.number("cost");
  const { currency, currencyDivisor } = offer.cost;
  return {
    cost:
      cost === undefined
        ? undefined
        : toMinor(new Exact(cost).toDecimalPlaces(CHARGE_DECIMALS), currencyDivisor, "up"),
    costCurrency: account.word("currencyCode") || currency,
  };
}
