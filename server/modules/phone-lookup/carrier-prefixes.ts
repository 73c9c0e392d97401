import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { readJson } from "../../lib/checked-json.ts";

/** The carrier of a number: a mobile network, or a virtual operator on one. */
const Carrier = Type.Object({
  name: Type.String(),
  /** The catalog's code of the brand that tops the number up, empty when the catalog has none. */
  brand: Type.String(),
  country: Type.String(),
  /** What people call the network; of a virtual operator, its host's, empty when not known. */
  knownAs: Type.String(),
  /** Mobile country code and mobile network code, empty when not known. */
  mcc: Type.String(),
  mnc: Type.String(),
});
export type Carrier = Static<typeof Carrier>;

const PrefixFile = Type.Object({
  carriers: Type.Array(Carrier),
  mobileCountryCodes: Type.Record(Type.String(), Type.String()),
  /** By calling code, then by the first digits of the national number: an index into `carriers`. */
  prefixes: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
});
type PrefixFile = Static<typeof PrefixFile>;

/**
 * The carriers that number ranges were first given to; numbers may have been ported since
 * (rules#lookup-live). The data and its making are described in `resources/phone`.
 */
export class CarrierPrefixes {
  readonly #path: string;
  #read: PrefixFile | undefined;

  constructor(resourcesDir: string) {
    this.#path = join(resourcesDir, "phone", "carrier-prefixes.json");
  }

  /** Read when it is first asked for, which takes some 10 ms: no start waits for it. */
  get #file(): PrefixFile {
    this.#read ??= readJson(PrefixFile, readFileSync(this.#path, "utf8"), this.#path);
    return this.#read;
  }

  /** Reads it before anything asks. */
  readAhead(): void {
    void this.#file;
  }

  /** Undefined where no carrier is known, and for numbers of a carrier that has closed. */
  find(callingCode: string, nationalNumber: string): Carrier | undefined {
    const { carriers, prefixes } = this.#file;
    const ranges = prefixes[callingCode];
    if (!ranges) return undefined;
    for (let length = nationalNumber.length; length > 0; length--) {
      const index = ranges[nationalNumber.slice(0, length)];
      if (index === undefined) continue;
      const carrier = carriers[index];
      return carrier?.name === "" ? undefined : carrier;
    }
    return undefined;
  }

  /** The mobile country code of a country, "" where it has none or several. */
  mobileCountryCode(country: string): string {
    return this.#file.mobileCountryCodes[country] ?? "";
  }
}
