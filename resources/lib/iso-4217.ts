import * as dineroCurrencies from "dinero.js/currencies";

/**
 * Corrects dinero.js, which counts the ariary and the ouguiya in fifths: ISO 4217 gives them two
 * decimals.
 */
const exponents = new Map<string, number>(
  Object.values(dineroCurrencies).map(({ code, base, exponent }) => [
    code,
    base === 10 ? exponent : 2,
  ]),
);

/** Minor units per major unit by ISO 4217: 1, 100 or 1000. */
export function currencyDivisor(currency: string): number {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw new Error(`"${currency}" is not a currency of ISO 4217`);
  return 10 ** exponent;
}

export function isCurrency(currency: string): boolean {
  return exponents.has(currency);
}
