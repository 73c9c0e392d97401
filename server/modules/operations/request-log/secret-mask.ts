/** Text in place of a secret. */
const MASK = "•••";

const SHOWN_DIGITS = 4;
/** Shorter values are masked as a whole, because four characters would be half of them. */
const MIN_SHORTENED = 9;

const KEYS_AND_TOKENS =
  /(?:test|live|sandbox)_[\w-]{32,}|whsec_[\w+/=-]+|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*|LPA:[^\s"]+|bearer\s+\S+/gi;
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}/gi;
/** Card numbers start with 2 to 6, or 81 and 82. ICCIDs start with 89. */
const CARD_NUMBER = /(?<![\d+])(?:[2-6]|8[12])(?:[ -]?\d){11,18}(?!\d)/g;

/** Matches every text that one of the expressions above matches. One search is faster than three. */
const SUSPICIOUS = /[_+%]|eyj|lpa:|bearer|\d(?:[ -]?\d){11}/i;

/** Returns the last characters of a number, as on a receipt. */
function shorten(text: string): string {
  return text.length < MIN_SHORTENED ? MASK : MASK + text.slice(-SHOWN_DIGITS);
}

/** Masks keys, tokens, activation codes, card numbers and phone numbers in a text. */
export function maskText(text: string): string {
  if (text.length < MIN_SHORTENED - 1 || !SUSPICIOUS.test(text)) return text;
  return text
    .replaceAll(KEYS_AND_TOKENS, MASK)
    .replaceAll(PHONE_NUMBER, shorten)
    .replaceAll(CARD_NUMBER, (digits) => (isCard(digits) ? shorten(digits) : digits));
}

/** Returns whether the last digit is the check digit of a card number (Luhn, ISO/IEC 7812). */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const MIN_DIGITS = 6;
/** Number of equal consecutive digits by which a longer number is recognised. */
const WINDOW = 7;
/** Digits with the separators that are usual in written numbers. */
const WRITTEN_NUMBER = /\d(?:[ .()-]{0,2}\d){5,}/g;

/**
 * The personal numbers of one request. Providers repeat them in their messages, with separators or
 * without the country's code.
 */
export class PersonalNumbers {
  readonly #windows = new Set<string>();

  add(text: string): void {
    for (const window of toWindows(text)) this.#windows.add(window);
  }

  /** Shortens the numbers in a text. */
  hide(text: string): string {
    if (this.#windows.size === 0) return text;
    return text.replaceAll(WRITTEN_NUMBER, (written) =>
      toWindows(written).some((window) => this.#windows.has(window)) ? shorten(written) : written,
    );
  }

  /** Returns the JSON of a value, with the numbers in its texts shortened. */
  toJson(value: unknown): string {
    const json = JSON.stringify(value);
    // No number crosses the quotes and commas between values, but an escaped character adds digits.
    if (!json.includes("\\u") && this.hide(json) === json) return json;
    return JSON.stringify(value, (_name, inner: unknown) => {
      if (typeof inner !== "string" && typeof inner !== "number") return inner;
      const text = String(inner);
      const hidden = this.hide(text);
      return hidden === text ? inner : hidden;
    });
  }
}

function toWindows(text: string): string[] {
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length < MIN_DIGITS) return [];
  const count = Math.max(1, digits.length - WINDOW + 1);
  return Array.from({ length: count }, (_, first) => digits.slice(first, first + WINDOW));
}

/** Fields whose value is a secret, wherever they are. */
const SECRETS: ReadonlySet<string> = new Set([
  "activationCode",
  "epin",
  "imageBase64",
  "redemptionUrl",
  "voucherId",
]);

/** Objects that contain delivered details. Only their fields in `NOT_DELIVERED` are shown. */
const DELIVERED: ReadonlySet<string> = new Set(["confirmation", "receipt"]);
const NOT_DELIVERED: ReadonlySet<string> = new Set([
  "currency",
  "currencyDivisor",
  "delivered",
  "deliveryType",
  "expiresAt",
  "externalReferenceId",
  "iccid",
  "send",
  "smdpAddress",
  "transactionTime",
  "withheld",
]);

/** Objects about a person. Only the fields in `NOT_PERSONAL` are shown. */
const PEOPLE: ReadonlySet<string> = new Set(["sender", "recipient"]);
const NOT_PERSONAL: ReadonlySet<string> = new Set(["country"]);

/** Fields with a number or address of a person, of which the last characters are shown. */
const PERSONAL = /phone|msisdn|email|^(?:recipient|accountNumber|billIdentifier)$/i;

/** Field with the values that an offer requires, such as a customer number or a PIN. */
const REQUIRED_VALUES = "fields";

/** Names of fields that are secret in `fields` of a purchase, such as a card's PIN. */
const SECRET_KEY = /pin|pass|secret|token|code|cvv|cvc|card|key/i;

const NAME = /^[A-Za-z][A-Za-z_.-]{0,63}$/;

type Json = unknown;

/** Replaces secrets in requests and responses of `/v1` (rules#request-log-secrets). */
export class SecretMask {
  readonly #known: ReadonlySet<string>;
  /** Masked forms of documented names. */
  readonly #names = new Map<string, string>();

  /** @param known names of all documented fields. The value of any other field may be a secret */
  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  /** Masks the body of a request, or of a successful response. Adds its numbers to `personal`. */
  maskBody(body: Json, personal: PersonalNumbers): Json {
    const top = { name: "", isOpen: false, isRequiredValue: false, shown: undefined };
    return this.#mask(body, { ...top, personal });
  }

  /** Masks an error, whose `fields` are named after the request's fields. */
  maskError({ message, fields, ...rest }: ErrorAnswer): Json {
    const raw = Object.entries(fields ?? {});
    let text = maskText(message ?? "");
    for (const [name] of raw) {
      const masked = this.#maskPath(name);
      if (masked !== name) text = text.replaceAll(name, masked);
    }
    const named = raw.map(([name, rule]) => [this.#maskPath(name), maskText(rule)] as const);
    const { errorCode } = rest;
    return { errorCode, message: text, fields: Object.fromEntries<string>(named) };
  }

  /** Masks a path with its query. Values of unknown parameters are masked. */
  maskUrl(url: string, personal: PersonalNumbers): string {
    const [path = "", query] = url.split("?", 2);
    const steps = path.split("/").map((step) => maskPart(step, personal));
    const masked = steps.join("/");
    if (query === undefined) return masked;
    const parts = query.split("&").map((part) => {
      const [name = "", value] = part.split("=", 2);
      if (value === undefined) return this.#maskName(name);
      return `${this.#maskName(name)}=${this.#maskParameter(name, value, personal)}`;
    });
    return `${masked}?${parts.join("&")}`;
  }

  #maskParameter(name: string, value: string, personal: PersonalNumbers): string {
    if (PERSONAL.test(name)) personal.add(decode(value));
    if (!this.#known.has(name)) return MASK;
    return PERSONAL.test(name) ? shorten(value) : maskPart(value, personal);
  }

  #mask(value: Json, place: Place): Json {
    if (Array.isArray(value)) return value.map((item) => this.#mask(item, place));
    if (typeof value === "object" && value !== null) return this.#maskObject(value, place);
    if (typeof value !== "string" && typeof value !== "number") return value;
    const { name, isOpen, isRequiredValue, shown, personal } = place;
    const text = String(value);
    const isPersonal = PERSONAL.test(name);
    if (isPersonal || isRequiredValue || shown === NOT_PERSONAL) personal.add(text);
    if (!isOpen || isRequiredValue || SECRETS.has(name)) return MASK;
    if (isPersonal) return shorten(text);
    if (shown && !shown.has(name)) return MASK;
    const masked = maskText(text);
    return masked === text ? value : masked;
  }

  #maskObject(value: object, place: Place): Json {
    const { personal } = place;
    if (isField(value)) return this.#maskField(value, personal);
    const shown = shownIn(place.name) ?? place.shown;
    const entries = Object.entries(value).map(([name, content]): [string, Json] => {
      const isOpen = this.#known.has(name);
      const isRequiredValue = place.isRequiredValue || name === REQUIRED_VALUES;
      const inner = { name, isOpen, isRequiredValue, shown, personal };
      return [this.#maskName(name), this.#mask(content, inner)];
    });
    return Object.fromEntries(entries);
  }

  /** Masks an item of `fields`, whose value is an account, a meter or a phone number. */
  #maskField({ key, value, ...rest }: RequiredField, personal: PersonalNumbers): Json {
    const text = String(value);
    personal.add(text);
    const others = Object.keys(rest).map((name) => [this.#maskName(name), MASK]);
    const shown = SECRET_KEY.test(key) ? MASK : shorten(text);
    return { ...Object.fromEntries(others), key: this.#maskPath(key), value: shown };
  }

  #maskPath(path: string): string {
    const parts = path.split(".");
    const isKnown = parts.every((part) => this.#known.has(part) || /^\d{1,2}$/.test(part));
    return isKnown ? path : this.#maskName(path);
  }

  /** Masks an unknown name unless it looks like a name, because a code may be in its place. */
  #maskName(name: string): string {
    if (!this.#known.has(name)) return NAME.test(name) ? maskText(name) : MASK;
    const known = this.#names.get(name) ?? maskText(name);
    if (!this.#names.has(name)) this.#names.set(name, known);
    return known;
  }
}

export interface ErrorAnswer {
  errorCode?: string;
  message?: string;
  fields?: Record<string, string>;
}

interface Place {
  /** Name of the nearest field; empty at the top of a body. */
  name: string;
  /** Whether the value of the field may be shown. */
  isOpen: boolean;
  /** Whether the value is inside `fields`. */
  isRequiredValue: boolean;
  /** The only fields that are shown; undefined for all known fields. */
  shown: ReadonlySet<string> | undefined;
  /** Receives the personal numbers. */
  personal: PersonalNumbers;
}

interface RequiredField {
  key: string;
  value: string | number;
}

function isField(value: object): value is RequiredField {
  const { key, value: content } = value as Record<string, unknown>;
  return typeof key === "string" && ["string", "number"].includes(typeof content);
}

/** Masks a part of a URL. */
function maskPart(part: string, personal: PersonalNumbers): string {
  const text = decode(part);
  const masked = personal.hide(maskText(text));
  // PostgreSQL stores no NUL.
  return masked === text ? part : masked.replaceAll(/\p{Cc}/gu, "");
}

/** @returns the same text if it is not encoded correctly, for example because it was shortened */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function shownIn(name: string): ReadonlySet<string> | undefined {
  if (DELIVERED.has(name)) return NOT_DELIVERED;
  return PEOPLE.has(name) ? NOT_PERSONAL : undefined;
}
