import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { all } from "mcc-mnc-list";

/** A row of the list of mobile networks (ITU-T E.212). */
export interface Network {
  readonly mcc: string;
  readonly mnc: string;
  /** The names it goes by, in plain letters; see `plainName`. */
  readonly names: ReadonlySet<string>;
  readonly inService: boolean;
}

/** Networks by ISO country; "" holds the ones of no country, as with satellite telephones. */
export type NetworkList = ReadonlyMap<string, readonly Network[]>;

const NO_COUNTRY = "";

export function readNetworkList(): NetworkList {
  const networks = new Map<string, Network[]>();
  for (const row of all()) {
    if (row.type === "Test" || !/^\d{2,3}$/.test(row.mnc)) continue;
    const network = {
      mcc: row.mcc,
      mnc: row.mnc,
      names: new Set([row.brand, row.operator].flatMap(namesIn)),
      inService: row.status === "Operational",
    };
    // One row can be of several countries ("GF/GP/MQ"), or of none.
    for (const country of (row.countryCode ?? NO_COUNTRY).split("/")) {
      networks.set(country, [...(networks.get(country) ?? []), network]);
    }
  }
  return networks;
}

/**
 * The mobile country code of each country that has one only; a country with several (US, IN …)
 * is left out, for there the number alone does not say which.
 */
export function soleCountryCodes(networks: NetworkList): Map<string, string> {
  const sole = new Map<string, string>();
  for (const [country, list] of networks) {
    const codes = new Set(list.filter(({ inService }) => inService).map(({ mcc }) => mcc));
    const [code] = codes;
    if (/^[A-Z]{2}$/.test(country) && code !== undefined && codes.size === 1) {
      sole.set(country, code);
    }
  }
  return sole;
}

/** A name without what is written in one place so and in another otherwise. */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]/gu, "");
}

/** "Alfa / Beta" is known by the whole and by either. */
function namesIn(text: string | null): string[] {
  if (text === null) return [];
  return [text, ...text.split("/")].map(plainName).filter((name) => name !== "");
}

export function networkListVersion(): string {
  const path = createRequire(import.meta.url).resolve("mcc-mnc-list/package.json");
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
  return `mcc-mnc-list ${version}`;
}
