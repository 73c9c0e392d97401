import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AsYouType,
  getCountryCallingCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from "libphonenumber-js/max";
import { type Static, Type } from "typebox";
import type { Environment } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import type { PhoneLookup } from "../../../contract/v1/phone-lookup.ts";
import { readJson } from "../../../lib/checked-json.ts";
import type { SettingsService } from "../../shop/settings/index.ts";

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

const PrefixFile = Type.Object({
  carriers: Type.Array(Carrier),
  mobileCountryCodes: Type.Record(Type.String(), Type.String()),
  /** By calling code, then by the first digits of the national number: an index into `carriers`. */
  prefixes: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
});

/**
 * The carriers that number ranges were first given to; numbers may have been ported since
 * (rules#lookup-live). The data and its making are described in `resources/phone`.
 */
class CarrierPrefixes {
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

/** What is known of a number, as far as it is typed. */
export interface PhoneDescription {
  /** The canonical form of a complete number (rules#topup-canonical-number), else E.164 as far as typed. */
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
  /** As it is dialled in the shop's country; absent where that is no number, or the same. */
  local?: PhoneDescription;
  /** The digits begin with that code, so they may be an international number that is unfinished. */
  beginsWithOwnCode: boolean;
  /** The number that a small repair of the digits makes, where they are none themselves. */
  repaired?: PhoneDescription;
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
  readonly #settings: SettingsService;

  constructor(resourcesDir: string, settings: SettingsService) {
    this.#carriers = new CarrierPrefixes(resourcesDir);
    this.#settings = settings;
  }

  /**
   * The switch of `/tools` for an account (rules#lookup-switch).
   * @throws Problem LOOKUP_NOT_ENABLED for any number
   */
  async requireLookup(accountId: string): Promise<void> {
    if (await this.#settings.isLookupEnabled(accountId)) return;
    throw new Problem("LOOKUP_NOT_ENABLED", "The phone lookup is switched off for this account.");
  }

  /** Reads what the first number would otherwise wait for. */
  readAhead(): void {
    this.#carriers.readAhead();
  }

  /** Describes digits in international form, complete or not; other characters are passed over. */
  describe(typed: string, environment: Environment): PhoneDescription {
    const digits = typed.replace(/\D/g, "");
    const parsed = parsePhoneNumberFromString(`+${digits}`);
    const number = parsed?.isValid() ? parsed.number : `+${digits}`;
    const formatter = new AsYouType();
    const formatted = formatter.input(number);
    const inTest = environment === "test" ? findTestCarrier(number) : undefined;
    const callingCode = formatter.getCallingCode();
    const nationalNumber = number.slice(1 + (callingCode?.length ?? 0));
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
    const readings = this.#readDigits(typed, digits, home, environment);
    const isUnfinished = validatePhoneNumberLength(`+${digits}`) === "TOO_SHORT";
    if (readings.international.valid || readings.local || isUnfinished) return readings;
    const repaired = repairsOf(digits, home)
      .map((number) => this.describe(number, environment))
      .find(({ valid }) => valid);
    return { ...readings, ...(repaired && { repaired }) };
  }

  #readDigits(
    typed: string,
    digits: string,
    home: string,
    environment: Environment,
  ): PhoneReadings {
    const isInternational = /^\D*\+/.test(typed);
    if (isInternational || digits.startsWith("00")) {
      // "0011" is the prefix of some countries; a till writes "+" for the "00" of it.
      const dialled = isInternational ? `00${digits}` : digits;
      const abroad = this.#dialledAbroad(dialled, home, environment);
      const international = this.describe(
        isInternational ? digits : digits.replace(/^00/, ""),
        environment,
      );
      return {
        international: international.valid ? international : (abroad ?? international),
        beginsWithOwnCode: false,
      };
    }
    const international = this.describe(digits, environment);
    if (!isSupportedCountry(home)) return { international, beginsWithOwnCode: false };
    const abroad = this.#dialledAbroad(digits, home, environment);
    if (abroad && !international.valid) return { international: abroad, beginsWithOwnCode: false };
    const beginsWithOwnCode = digits.startsWith(getCountryCallingCode(home));
    // Knows each country's prefixes, such as the 0 before a national number.
    const national = parsePhoneNumberFromString(digits, { defaultCountry: home, extract: false });
    const local = national && this.describe(national.number, environment);
    const isLocal = local?.valid && local.country === home && local.number !== international.number;
    return { international, ...(isLocal && { local }), beginsWithOwnCode };
  }

  /** A valid number behind the digits that dial abroad in a country, such as 011, 0011 or 810. */
  #dialledAbroad(
    digits: string,
    home: string,
    environment: Environment,
  ): PhoneDescription | undefined {
    if (!isSupportedCountry(home)) return undefined;
    const parsed = parsePhoneNumberFromString(digits, { defaultCountry: home, extract: false });
    const prefix = INTERNATIONAL_PREFIXES.find((one) => digits.startsWith(one));
    const isBehind = prefix && parsed && isDialled(digits, prefix, parsed);
    if (!(isBehind && parsed.isValid())) return undefined;
    return this.describe(parsed.number, environment);
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

/**
 * The canonical E.164 form of a number (rules#topup-canonical-number): old national prefixes are rewritten, and
 * a trunk prefix behind the country code is dropped. A text that is no valid number stays as it is.
 */
export function canonicalNumber(number: string): string {
  const parsed = number.startsWith("+") ? parsePhoneNumberFromString(number) : undefined;
  return parsed?.isValid() ? parsed.number : number;
}

/** Digits that dial abroad, longest first. */
const INTERNATIONAL_PREFIXES = ["0011", "011", "810", "009", "001", "00", "119", "010"];

/** Whether a number was read from the digits behind a prefix. */
function isDialled(
  digits: string,
  prefix: string,
  { number, countryCallingCode }: { number: string; countryCallingCode: string },
): boolean {
  const behind = digits.slice(prefix.length);
  const isSame = canonicalNumber(`+${behind}`) === number;
  return isSame && behind.startsWith(countryCallingCode);
}

/** Digits with a repair of each mistake that people make in writing a number. */
function repairsOf(digits: string, home: string): string[] {
  const own = isSupportedCountry(home) ? getCountryCallingCode(home) : undefined;
  const code = new AsYouType();
  code.input(`+${digits}`);
  const callingCode: string = code.getCallingCode() ?? "";
  const national = digits.slice(callingCode.length);
  return [
    // Digits that dial abroad, in another country or behind a "+".
    ...INTERNATIONAL_PREFIXES.filter((one) => digits.startsWith(one)).map((one) =>
      digits.slice(one.length),
    ),
    digits.replace(/^0+/, ""),
    // A "+" in front of a number of the shop's country.
    ...(own === undefined ? [] : [own + digits, own + digits.replace(/^0/, "")]),
    // The country code twice.
    ...(callingCode !== "" && national.startsWith(callingCode) ? [national] : []),
    // The trunk prefix of another country's habit, and the old mobile prefix of Mexico.
    ...(callingCode !== "" && /^[01]/.test(national) ? [callingCode + national.slice(1)] : []),
  ];
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

type Carrier = Static<typeof Carrier>;
type PrefixFile = Static<typeof PrefixFile>;
