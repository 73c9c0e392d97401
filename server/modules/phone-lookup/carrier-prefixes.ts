import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A mobile network; `brand` is the catalog's code for it, empty when the catalog has none. */
export interface Carrier {
  name: string;
  brand: string;
  country: string;
}

interface PrefixFile {
  carriers: Carrier[];
  /** By calling code, then by the first digits of the national number: an index into `carriers`. */
  prefixes: Record<string, Record<string, number>>;
}

export type FindCarrier = (callingCode: string, nationalNumber: string) => Carrier | undefined;

/**
 * The carriers that number ranges were first given to; numbers may have been ported since
 * (decisions §6). The data and its making are described in `resources/phone`.
 */
export async function readCarrierPrefixes(resourcesDir: string): Promise<FindCarrier> {
  const text = await readFile(join(resourcesDir, "phone", "carrier-prefixes.json"), "utf8");
  const { carriers, prefixes } = JSON.parse(text) as PrefixFile;
  return (callingCode, nationalNumber) => {
    const ranges = prefixes[callingCode];
    if (!ranges) return undefined;
    for (let length = nationalNumber.length; length > 0; length--) {
      const index = ranges[nationalNumber.slice(0, length)];
      if (index !== undefined) return carriers[index];
    }
    return undefined;
  };
}
