import {
  AsYouType,
  getCountryCallingCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import type { Environment } from "../../contract/common.ts";
import { Problem } from "../../contract/problem.ts";
import type { PhoneLookup } from "../../contract/v1/phone-lookup.ts";
import { type Carrier, CarrierPrefixes } from "./carrier-prefixes.ts";

/** What is known of a number, as far as it is typed. */
export interface PhoneDescription {
  /** E.164 as far as typed. */
  number: string;
  /** International, grouped. */
  formatted: string;
  /** Complete, and in a range that exists. */
  valid: boolean;
  /** It can be a mobile number, as far as its range tells: a fixed line takes no top-up. */
  mobile: boolean;
  /** ISO 3166-1 alpha-2, empty while unknown. */
  country: string;
  carrier: Carrier | undefined;
  /** One of the test environment's numbers, whose carrier is fixed. */
  isTestNumber: boolean;
}

/** What typed digits can mean: without a "+" or "00" in front, two numbers. */
export interface PhoneReadings {
  /** With the digits as they are: the country code first. */
  international: PhoneDescription;
  /** Complete with the code of the shop's country; absent where that is no number, or the same. */
  local?: PhoneDescription;
  /** The digits begin with that code, so they may be an international number that is unfinished. */
  beginsWithOwnCode: boolean;
}

/** Types of ranges, as libphonenumber names them, in which a number can be a mobile one. */
const MOBILE_TYPES: readonly (NumberType | undefined)[] = [
  "MOBILE",
  "FIXED_LINE_OR_MOBILE",
  // Not known: it may be.
  undefined,
];

/** The numbers of the test environment that name a carrier (rules#lookup-test-numbers). */
const TEST_NUMBERS: { pattern: RegExp; carrier: Carrier }[] = [
  { pattern: /^\+5023\d{7}$/, carrier: testCarrier("Claro", "CLARO", "GT", "704", "01") },
  { pattern: /^\+5025\d{7}$/, carrier: testCarrier("Tigo", "TIGO", "GT", "704", "02") },
  { pattern: /^\+15\d{9}$/, carrier: testCarrier("Verizon", "VERIZON", "US", "311", "480") },
  { pattern: /^\+16\d{9}$/, carrier: testCarrier("T-Mobile", "TMOBILE", "US", "310", "260") },
];

export class PhoneService {
  readonly #carriers: CarrierPrefixes;

  constructor(resourcesDir: string) {
    this.#carriers = new CarrierPrefixes(resourcesDir);
  }

  /** Reads what the first number would otherwise wait for. */
  readAhead(): void {
    this.#carriers.readAhead();
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
      mobile: inTest !== undefined || MOBILE_TYPES.includes(parsed?.getType()),
      country: inTest?.country ?? parsed?.country ?? formatter.getCountry() ?? "",
      carrier:
        inTest ?? (callingCode ? this.#carriers.find(callingCode, nationalNumber) : undefined),
      isTestNumber: inTest !== undefined,
    };
  }

  /**
   * Reads what was typed in a shop (rules#topup-local-number). Only a valid number of the shop's own
   * country is completed, and a number with "+" or "00" never is.
   * @param home ISO 3166-1 alpha-2, empty when it is not known
   */
  read(typed: string, home: string, environment: Environment): PhoneReadings {
    const digits = typed.replace(/\D/g, "");
    if (/^\D*\+/.test(typed) || digits.startsWith("00")) {
      const international = this.describe(digits.replace(/^00/, ""), environment);
      return { international, beginsWithOwnCode: false };
    }
    const international = this.describe(digits, environment);
    if (!isSupportedCountry(home)) return { international, beginsWithOwnCode: false };
    const beginsWithOwnCode = digits.startsWith(getCountryCallingCode(home));
    // Knows each country's prefixes, such as the 0 before a national number.
    const national = parsePhoneNumberFromString(digits, { defaultCountry: home, extract: false });
    const local = national && this.describe(national.number, environment);
    const isLocal = local?.valid && local.country === home && local.number !== international.number;
    return { international, ...(isLocal && { local }), beginsWithOwnCode };
  }

  /**
   * Looks a complete number up (rules#lookup-live): in test the four patterns alone, in live every number
   * that is valid, whether or not its carrier is known.
   * @throws Problem PHONE_NUMBER_NOT_FOUND
   */
  lookUp(number: string, environment: Environment): PhoneLookup {
    const found = environment === "test" ? describeTestNumber(number) : this.#describeLive(number);
    if (!found) {
      throw new Problem("PHONE_NUMBER_NOT_FOUND", `There is no phone number ${number}.`, {
        msisdn: environment === "test" ? "is not a number of the test environment" : "is not valid",
      });
    }
    return found;
  }

  #describeLive(number: string): PhoneLookup | undefined {
    const parsed = parsePhoneNumberFromString(number);
    if (!parsed?.isValid()) return undefined;
    const callingCode: string = parsed.countryCallingCode;
    const carrier = this.#carriers.find(callingCode, parsed.number.slice(1 + callingCode.length));
    const country = parsed.country ?? carrier?.country ?? "";
    return {
      msisdn: parsed.number,
      brand: carrier?.knownAs ?? "",
      country,
      mobileCountryCode: carrier?.mcc ?? this.#carriers.mobileCountryCode(country),
      mobileNetworkCode: carrier?.mnc ?? "",
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

function testCarrier(
  name: string,
  brand: string,
  country: string,
  mcc: string,
  mnc: string,
): Carrier {
  return { name, brand, country, knownAs: name, mcc, mnc };
}

function describeTestNumber(number: string): PhoneLookup | undefined {
  const carrier = findTestCarrier(number);
  return (
    carrier && {
      msisdn: number,
      brand: carrier.knownAs,
      country: carrier.country,
      mobileCountryCode: carrier.mcc,
      mobileNetworkCode: carrier.mnc,
    }
  );
}
