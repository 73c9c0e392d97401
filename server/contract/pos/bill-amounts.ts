/** Price of a bill payment and amount paid to the biller, each in minor units of its currency. */
export interface PricedBill {
  readonly price: number;
  /** The provider's fee, which is included in `price`. */
  readonly priceFee?: number;
  readonly priceCurrency: string;
  readonly priceCurrencyDivisor: number;
  readonly send: number;
  readonly sendCurrency: string;
  readonly sendCurrencyDivisor: number;
}

/**
 * Splits the price of a bill payment into the amount due and the shop's service fee, in minor units
 * of the shop's currency: `due + fee = price` (rules#bill-adds-up). The fee is the price less the
 * amount paid to the biller. If the bill is in another currency, the fee is the provider's fee.
 */
export function splitBill(bill: PricedBill): { due: number; fee: number } {
  const { price, priceFee = 0, send } = bill;
  const isSameMoney =
    bill.sendCurrency === bill.priceCurrency &&
    bill.sendCurrencyDivisor === bill.priceCurrencyDivisor;
  const fee = Math.min(price, Math.max(0, isSameMoney ? price - send : priceFee));
  return { due: price - fee, fee };
}
