import * as dineroCurrencies from "dinero.js/currencies";

/**
 * Number of decimals by currency. Corrects dinero.js for the ariary and the ouguiya: ISO 4217
 * states two decimals.
 */
const exponents = new Map<string, number>(
  Object.values(dineroCurrencies).map(({ code, base, exponent }) => [
    code,
    base === 10 ? exponent : 2,
  ]),
);

/** Returns the number of minor units per major unit by ISO 4217: 1, 100 or 1000. */
export function currencyDivisor(currency: string): number {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw new Error(`"${currency}" is not a currency of ISO 4217`);
  return 10 ** exponent;
}

export function isCurrency(currency: string): boolean {
  return exponents.has(currency);
}
