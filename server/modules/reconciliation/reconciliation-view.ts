import { FAMILY_FACTS } from "../../contract/pos/families.ts";
import type { ReconciliationCase } from "../../contract/pos/reconciliation.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { describeAmount } from "../../lib/money.ts";
import { sendUnitOf } from "../catalog/index.ts";
import { NO_ANSWER, type StoredPurchase } from "../purchases/index.ts";
import { NO_REFUND_ANSWER } from "../refunds/index.ts";
import type { SaleOfTransaction } from "../sales/index.ts";
import { type StoredTransaction, toLogItem } from "../transactions/index.ts";

/** A flagged transaction with everything that is known of it. */
export interface FlaggedTransaction {
  transaction: StoredTransaction;
  /** What it bought, or what the refund refunds. */
  purchase: StoredPurchase;
  sale: SaleOfTransaction | undefined;
  provider: ReconciliationCase["provider"];
}

const ATTEMPT = /^Attempt(?: \d+)? failed: (.*); next attempt at \S+$/;

export function toCase(flagged: FlaggedTransaction): ReconciliationCase {
  const { transaction, purchase, sale, provider } = flagged;
  const { offer, quote, extras } = purchase;
  const sendUnit = sendUnitOf(offer);
  const isRefund = transaction.productType === "REFUND";
  const replies = repliesOf(transaction);
  return {
    transactionId: transaction.transactionId,
    environment: transaction.environment,
    kind: isRefund ? "REFUND" : offer.productType,
    ...(isRefund && { refundedTransactionId: purchase.transaction.transactionId }),
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    country: offer.country,
    title: offer.shortNotes,
    recipient: purchase.recipient,
    fields: extras.fields ?? [],
    send: quote.send,
    sendCurrency: sendUnit.currency,
    sendCurrencyDivisor: sendUnit.currencyDivisor,
    cost: transaction.amount,
    costCurrency: transaction.currency,
    costCurrencyDivisor: transaction.currencyDivisor,
    price: quote.priceBase + quote.priceFee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    acceptedAt: toTimestamp(transaction.createdAt),
    failedAt: toTimestamp(transaction.finishedAt ?? transaction.updatedAt),
    error: transaction.error ?? { code: "", description: "", message: "" },
    // A refund is asked for once for each entry of the log, and one last time.
    attempts: isRefund ? replies.length + 1 : purchase.attempts,
    log: transaction.log.map(toLogItem),
    lastWord: lastWordOf(transaction, purchase, replies),
    provider,
    ...(sale && { sale }),
    decisions: isRefund ? refundDecisions(transaction) : purchaseDecisions(flagged),
  };
}

interface Reply {
  at: number;
  reason: string;
}

/** The result of each attempt, from the log. */
function repliesOf(transaction: StoredTransaction): Reply[] {
  return transaction.log.flatMap(({ loggedAt: at, message }) => {
    const reason = ATTEMPT.exec(message)?.[1];
    return reason === undefined ? [] : { at, reason };
  });
}

function lastWordOf(
  { productType, error }: StoredTransaction,
  { attempts, attemptState, doubt, deviations }: StoredPurchase,
  replies: Reply[],
): string {
  const isRefund = productType === "REFUND";
  const said = replies.findLast(({ reason }) => ![NO_ANSWER, NO_REFUND_ANSWER].includes(reason));
  const saidText = said && `At ${toTimestamp(said.at)} it said: ${said.reason}.`;
  const isRestored = error?.code === "INSUFFICIENT_FUNDS" || attempts === 0;
  if (!isRefund && isRestored) {
    return "Nothing is known: the purchase is from a backup and may have been sent afterwards.";
  }
  const unread = deviations.filter(({ needed }) => needed).map(({ field }) => field);
  if (!isRefund && unread.length > 0) {
    return `It answered, and how it ended could not be read: ${unread.join(", ")}.`;
  }
  if (!isRefund && doubt === "BOOKED") {
    return "It said that it has this purchase; how it ended it did not say.";
  }
  if (!isRefund && attemptState === "WORKING") {
    return "It had the order and was working on it, or the purchase is from a backup; how it ended it did not say.";
  }
  if (saidText === undefined) return "It never answered.";
  const isSilent = replies.at(-1) !== said || (!isRefund && attemptState === "SENT");
  return isSilent ? `${saidText} Since then it has not answered.` : saidText;
}

function purchaseDecisions({ transaction, purchase, sale }: FlaggedTransaction) {
  const { offer, quote } = purchase;
  const cost = describeAmount(transaction.amount, transaction);
  const price = describeAmount(quote.priceBase + quote.priceFee, offer.price);
  const soldTo = sale ? `sale ${sale.saleNumber}` : "the program that bought it";
  // What goes to a phone number is in nobody's hands.
  const handed =
    FAMILY_FACTS[offer.productType].recipientKind === "number"
      ? ""
      : " What it handed over is not in Tillgate: ask the provider for it.";
  return {
    delivered: `The provider delivered and charged ${cost}. A new DEBIT takes ${cost} off the wallet, so that it agrees with the provider's. The transaction stays failed: ${soldTo} was told that nothing was delivered, and may have been given ${price} back.${handed}`,
    notDelivered: `The provider did not deliver and charged nothing. Nothing is booked: the ${cost} are in the wallet again already. What the customer paid (${price}) is to be given back, if it was not yet.`,
  };
}

function refundDecisions(transaction: StoredTransaction) {
  const amount = describeAmount(transaction.amount, transaction);
  return {
    delivered: `The provider gave ${amount} back. A new CREDIT adds ${amount} to the wallet, so that it agrees with the provider's, and the purchase counts as refunded. This refund stays failed.`,
    notDelivered: `The provider gave nothing back. Nothing is booked. The refund may be asked for again.`,
  };
}
