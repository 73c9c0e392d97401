import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { all } from "mcc-mnc-list";

export interface Network {
  readonly mcc: string;
  readonly mnc: string;
  /** Names without case, accents and punctuation; see `plainName`. */
  readonly names: ReadonlySet<string>;
  readonly inService: boolean;
}

/** Networks by ISO country; "" for networks without a country, such as satellite networks. */
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
    // A row may belong to several countries ("GF/GP/MQ"), or to none.
    for (const country of (row.countryCode ?? NO_COUNTRY).split("/")) {
      networks.set(country, [...(networks.get(country) ?? []), network]);
    }
  }
  return networks;
}

/**
 * Returns the mobile country codes (MCC) of countries that have only one. If a country has several
 * (US, IN …), a number does not show which code applies.
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

/** Removes case, accents and punctuation, because sources write them differently. */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]/gu, "");
}

/**
 * Returns the names in a text. "Alfa / Beta" contains three names: the whole text and both parts.
 */
function namesIn(text: string | null): string[] {
  if (text === null) return [];
  return [text, ...text.split("/")].map(plainName).filter((name) => name !== "");
}

export function networkListVersion(): string {
  const path = createRequire(import.meta.url).resolve("mcc-mnc-list/package.json");
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
  return `mcc-mnc-list ${version}`;
}
