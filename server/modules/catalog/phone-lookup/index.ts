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
import { PhoneLookup, PhoneLookupParams } from "../../../contract/v1/phone-lookup.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { readJson } from "../../../lib/checked-json.ts";
import type { Base, Module } from "../../module.ts";
import type { SettingsService } from "../../shop/settings/index.ts";

const Carrier = Type.Object({
  name: Type.String(),
  /** Brand that sells top-ups for the number; empty if the catalog has none. */
  brand: Type.String(),
  country: Type.String(),
  /** Host network of a virtual operator. Empty if unknown. */
  knownAs: Type.String(),
  mcc: Type.String(),
  mnc: Type.String(),
});

const PrefixFile = Type.Object({
  carriers: Type.Array(Carrier),
  mobileCountryCodes: Type.Record(Type.String(), Type.String()),
  /** Index into `carriers` by calling code and leading digits. */
  prefixes: Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer())),
});

/**
 * Carriers to which number ranges were first assigned. Numbers may have been ported
 * (rules#lookup-live). `resources/phone` describes the data and its source.
 */
class CarrierPrefixes {
  readonly #path: string;
  #read: PrefixFile | undefined;

  constructor(resourcesDir: string) {
    this.#path = join(resourcesDir, "phone", "carrier-prefixes.json");
  }

  /** Reads the file at the first use, because its 10 ms would delay the startup. */
  get #file(): PrefixFile {
    this.#read ??= readJson(PrefixFile, readFileSync(this.#path, "utf8"), this.#path);
    return this.#read;
  }

  readAhead(): void {
    void this.#file;
  }

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

  /** Returns an empty text for a country with no code or several codes. */
  mobileCountryCode(country: string): string {
    return this.#file.mobileCountryCodes[country] ?? "";
  }
}

export interface PhoneDescription {
  /** Canonical if complete (rules#topup-canonical-number), otherwise E.164 of the typed digits. */
  number: string;
  formatted: string;
  valid: boolean;
  /** False for a landline, which takes no top-up. */
  mobile: boolean;
  /** ISO 3166-1 alpha-2; empty while unknown. */
  country: string;
  carrier: Carrier | undefined;
  isTestNumber: boolean;
}

/** Digits without "+" or "00" may have two meanings. */
interface PhoneReadings {
  international: PhoneDescription;
  /** The digits as dialled in the shop's country; absent if invalid or like `international`. */
  local?: PhoneDescription;
  /** True if the digits start with the shop's calling code, so that more digits may follow. */
  beginsWithOwnCode: boolean;
  /** Set if the digits are invalid, and a small correction makes them a valid number. */
  repaired?: PhoneDescription;
}

const MOBILE_TYPES: readonly (NumberType | undefined)[] = [
  "MOBILE",
  "FIXED_LINE_OR_MOBILE",
  // A number of unknown type may be mobile.
  undefined,
];

/** Numbers of the test environment (rules#lookup-test-numbers). */
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

  /** @throws Problem LOOKUP_NOT_ENABLED if the lookup is switched off (rules#lookup-switch) */
  async requireLookup(accountId: string): Promise<void> {
    if (await this.#settings.isLookupEnabled(accountId)) return;
    throw new Problem("LOOKUP_NOT_ENABLED", "The phone lookup is switched off for this account.");
  }

  readAhead(): void {
    this.#carriers.readAhead();
  }

  /** Describes a number, which may be incomplete. Ignores all characters except digits. */
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
      // The sandbox sells to test numbers, even in ranges that do not exist.
      valid: inTest !== undefined || parsed?.isValid() === true,
      mobile: inTest !== undefined || MOBILE_TYPES.includes(parsed?.getType()),
      country: inTest?.country ?? parsed?.country ?? formatter.getCountry() ?? "",
      carrier:
        inTest ?? (callingCode ? this.#carriers.find(callingCode, nationalNumber) : undefined),
      isTestNumber: inTest !== undefined,
    };
  }

  /**
   * Interprets a number typed in a shop (rules#topup-local-number). A country code is added only to
   * a valid number of the shop's country that was typed without "+" or "00".
   * @param home ISO 3166-1 alpha-2; empty if unknown
   */
  read(typed: string, home: string, environment: Environment): PhoneReadings {
    const digits = typed.replace(/\D/g, "");
    const readings = this.#readDigits(typed, digits, home, environment);
    const isUnfinished = validatePhoneNumberLength(`+${digits}`) === "TOO_SHORT";
    if (readings.international.valid || readings.local || isUnfinished) return readings;
    const repaired = listRepairs(digits, home)
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
      // Restores a leading "00" that the till replaced by "+", because some countries dial "0011".
      const dialled = isInternational ? `00${digits}` : digits;
      const abroad = this.#readDialledAbroad(dialled, home, environment);
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
    const abroad = this.#readDialledAbroad(digits, home, environment);
    if (abroad && !international.valid) return { international: abroad, beginsWithOwnCode: false };
    const beginsWithOwnCode = digits.startsWith(getCountryCallingCode(home));
    // libphonenumber removes national prefixes, such as a leading 0.
    const national = parsePhoneNumberFromString(digits, { defaultCountry: home, extract: false });
    const local = national && this.describe(national.number, environment);
    const isLocal = local?.valid && local.country === home && local.number !== international.number;
    return { international, ...(isLocal && { local }), beginsWithOwnCode };
  }

  #readDialledAbroad(
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
   * The test environment finds only numbers of its four patterns. The live environment finds every
   * valid number, with or without a known carrier (rules#lookup-live).
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
 * Removes old national prefixes, and a trunk prefix after the country code
 * (rules#topup-canonical-number). Returns an invalid number unchanged.
 */
export function canonicalNumber(number: string): string {
  if (!number.startsWith("+")) return number;
  const known = canonical.get(number);
  if (known !== undefined) return known;
  const parsed = parsePhoneNumberFromString(number);
  const found = parsed?.isValid() ? parsed.number : number;
  if (canonical.size >= MAX_CANONICAL) canonical.clear();
  canonical.set(number, found);
  return found;
}

/** Numbers of recent purchases: a quote and its purchase name the same number. */
const canonical = new Map<string, string>();
const MAX_CANONICAL = 10_000;

/** A longer prefix is listed before a shorter prefix that it starts with. */
const INTERNATIONAL_PREFIXES = ["0011", "011", "810", "009", "001", "00", "119", "010"];

function isDialled(
  digits: string,
  prefix: string,
  { number, countryCallingCode }: { number: string; countryCallingCode: string },
): boolean {
  const behind = digits.slice(prefix.length);
  const isSame = canonicalNumber(`+${behind}`) === number;
  return isSame && behind.startsWith(countryCallingCode);
}

function listRepairs(digits: string, home: string): string[] {
  const own = isSupportedCountry(home) ? getCountryCallingCode(home) : undefined;
  const code = new AsYouType();
  code.input(`+${digits}`);
  const callingCode: string = code.getCallingCode() ?? "";
  const national = digits.slice(callingCode.length);
  return [
    // Removes an international prefix of another country, also after a "+".
    ...INTERNATIONAL_PREFIXES.filter((one) => digits.startsWith(one)).map((one) =>
      digits.slice(one.length),
    ),
    digits.replace(/^0+/, ""),
    // Adds the country code to a national number that was typed with a "+".
    ...(own === undefined ? [] : [own + digits, own + digits.replace(/^0/, "")]),
    ...(callingCode !== "" && national.startsWith(callingCode) ? [national] : []),
    // Removes a trunk prefix after the country code, or Mexico's old mobile prefix.
    ...(callingCode !== "" && /^[01]/.test(national) ? [callingCode + national.slice(1)] : []),
  ];
}

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

type PhoneLookupModuleDeps = Base & { settings: SettingsService };

export function createPhoneLookupModule({ config, settings }: PhoneLookupModuleDeps) {
  const phones = new PhoneService(config.resourcesDir, settings);
  return {
    services: { phones },
    v1: (app) => registerLookupRoutes(app, phones),
  } satisfies Module;
}

/** Registers `/tools` (rules#lookup-live). */
function registerLookupRoutes(app: App, phones: PhoneService): void {
  app.get(
    "/tools/phonenumberlookup/:msisdn",
    {
      // The switch is checked before the number (rules#lookup-switch).
      preValidation: (request) => phones.requireLookup(clientOf(request).accountId),
      schema: {
        operationId: "lookUpPhoneNumber",
        summary: "Look a phone number up",
        description:
          "The carrier is the one that the number's range was first given to; a number that was " +
          "ported since may be with another.",
        tags: ["Tools"],
        params: PhoneLookupParams,
        response: answers(PhoneLookup, ["LOOKUP_NOT_ENABLED", "PHONE_NUMBER_NOT_FOUND"]),
      },
    },
    async (request) => phones.lookUp(request.params.msisdn, clientOf(request).environment),
  );
}
