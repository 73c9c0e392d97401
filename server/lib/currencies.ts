import * as iso from "dinero.js/currencies";

const byCode = new Map(Object.values(iso).map((currency) => [currency.code as string, currency]));

export function isCurrency(code: string): boolean {
  return byCode.has(code);
}

/**
 * Returns the number of minor units per major unit by ISO 4217: 1, 10, 100 or 1000.
 * @throws RangeError for a code that ISO 4217 does not list
 */
export function currencyDivisor(code: string): number {
  const currency = byCode.get(code);
  if (!currency) throw new RangeError(`${code} is not an ISO 4217 currency`);
  return currency.base === 10 ? 10 ** currency.exponent : 100;
}
