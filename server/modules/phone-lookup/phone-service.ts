import { AsYouType, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Environment } from "../../contract/common.ts";
import { type Carrier, type FindCarrier, readCarrierPrefixes } from "./carrier-prefixes.ts";

/** What a number tells, as far as it is typed. */
export interface PhoneDescription {
  /** E.164 as far as typed. */
  number: string;
  /** International, grouped. */
  formatted: string;
  /** Complete, and in a range that exists. */
  valid: boolean;
  /** ISO 3166-1 alpha-2, empty while unknown. */
  country: string;
  carrier: Carrier | undefined;
}

/** The numbers of the test environment that name a carrier (spec §4.10, decisions §6). */
const TEST_NUMBERS: { pattern: RegExp; carrier: Carrier }[] = [
  { pattern: /^\+5023\d{7}$/, carrier: { name: "Claro", brand: "CLARO", country: "GT" } },
  { pattern: /^\+5025\d{7}$/, carrier: { name: "Tigo", brand: "TIGO", country: "GT" } },
  { pattern: /^\+15\d{9}$/, carrier: { name: "Verizon", brand: "VERIZON", country: "US" } },
  { pattern: /^\+16\d{9}$/, carrier: { name: "T-Mobile", brand: "TMOBILE", country: "US" } },
];

export class PhoneService {
  readonly #findCarrier: FindCarrier;

  constructor(findCarrier: FindCarrier) {
    this.#findCarrier = findCarrier;
  }

  static async load(resourcesDir: string): Promise<PhoneService> {
    return new PhoneService(await readCarrierPrefixes(resourcesDir));
  }

  /** Describes digits in international form, complete or not; other characters are passed over. */
  describe(typed: string, environment: Environment): PhoneDescription {
    const digits = typed.replace(/\D/g, "");
    const formatter = new AsYouType();
    const formatted = formatter.input(`+${digits}`);
    const parsed = formatter.getNumber();
    const number = `+${digits}`;
    const inTest = environment === "test" ? findTestCarrier(number) : undefined;
    const callingCode = formatter.getCallingCode();
    const nationalNumber = digits.slice(callingCode?.length ?? 0);
    return {
      number,
      formatted,
      // A number of the test environment can be sold to even where no such range exists.
      valid: inTest !== undefined || parsed?.isValid() === true,
      country: inTest?.country ?? parsed?.country ?? formatter.getCountry() ?? "",
      carrier: inTest ?? (callingCode ? this.#findCarrier(callingCode, nationalNumber) : undefined),
    };
  }
}

/** A number as people read it: international and grouped. */
export function formatPhoneNumber(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}

function findTestCarrier(number: string): Carrier | undefined {
  return TEST_NUMBERS.find(({ pattern }) => pattern.test(number))?.carrier;
}
