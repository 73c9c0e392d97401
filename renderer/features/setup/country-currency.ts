/** Countries that pay in a currency which is not named after them. */
const SHARED: Readonly<Record<string, string>> = {
  AUD: "AU KI NR TV CX CC NF",
  CHF: "CH LI",
  DKK: "DK FO GL",
  EUR: "AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT",
  GBP: "GB GG IM JE",
  ILS: "IL PS",
  MAD: "MA EH",
  NOK: "NO SJ",
  NZD: "NZ CK NU PN TK",
  USD: "US AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI",
  XAF: "CF CG CM GA GQ TD",
  XCD: "AG AI DM GD KN LC MS VC",
  XCG: "CW SX",
  XOF: "BF BJ CI GW ML NE SN TG",
  XPF: "NC PF WF",
};

const BY_COUNTRY = new Map(
  Object.entries(SHARED).flatMap(([currency, countries]) =>
    countries.split(" ").map((country) => [country, currency] as const),
  ),
);

/**
 * What people of a country pay in: the two letters a currency begins with are its country's, and
 * others share one.
 * @param country ISO 3166-1 alpha-2
 * @param currencies to choose from, ISO 4217
 */
export function countryCurrency(
  country: string,
  currencies: readonly string[],
): string | undefined {
  const shared = BY_COUNTRY.get(country);
  if (shared !== undefined) return currencies.includes(shared) ? shared : undefined;
  return currencies.find((currency) => currency.startsWith(country));
}
