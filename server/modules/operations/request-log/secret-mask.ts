/** Text in place of a secret. */
const MASK = "•••";
const MASK_JSON = JSON.stringify(MASK);

const SHOWN_DIGITS = 4;
/** Shorter values are masked as a whole, because four characters would be half of them. */
const MIN_SHORTENED = 9;

const KEYS_AND_TOKENS =
  /(?:test|live|sandbox)_[\w-]{32,}|whsec_[\w+/=-]+|(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*|LPA:[^\s"]+|bearer\s+\S+/gi;
const PHONE_NUMBER = /(?:\+|%2B)\d{7,15}/gi;
/** Card numbers start with 2 to 6, or 81 and 82. ICCIDs start with 89. */
const CARD_NUMBER = /(?<![\d+])(?:[2-6]|8[12])(?:[ -]?\d){11,18}(?!\d)/g;

/** Matches every text that one of the expressions above matches. One search is faster than three. */
const SUSPICIOUS =
  /(?:test|live|sandbox|whsec)_|eyj|lpa:|bearer|(?:\+|%2b)\d{7}|\d(?:[ -]?\d){11}/i;

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
  readonly #numbers: string[] = [];
  /** Undefined until a text with a written number is read: most texts have none. */
  #windows: ReadonlySet<string> | undefined;

  add(text: string): void {
    this.#numbers.push(text);
    this.#windows = undefined;
  }

  /** Shortens the numbers in a text. */
  hide(text: string): string {
    if (this.#numbers.length === 0) return text;
    return text.replaceAll(WRITTEN_NUMBER, (written) => {
      this.#windows ??= new Set(this.#numbers.flatMap(toWindows));
      const windows = this.#windows;
      return toWindows(written).some((window) => windows.has(window)) ? shorten(written) : written;
    });
  }

  /** Shortens the numbers in the texts of a JSON value. */
  hideInJson(json: string): string {
    // No number crosses the quotes and commas between values, but an escaped character adds digits.
    if (!json.includes("\\u") && this.hide(json) === json) return json;
    return JSON.stringify(JSON.parse(json), (_name, inner: unknown) => {
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
  /** Documented fields by their names. */
  readonly #fields = new Map<string, Field>();

  /** @param known names of all documented fields. The value of any other field may be a secret */
  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  /**
   * Masks the body of a request, or of a successful response. Adds its numbers to `personal`.
   * @returns JSON, written without a masked copy of the body
   */
  maskBody(body: Json, personal: PersonalNumbers): string {
    return this.#write(body, TOP, { isRequiredValue: false, shown: undefined, personal });
  }

  /**
   * Masks an error, whose `fields` are named after the request's fields.
   * @returns JSON
   */
  maskError({ message, fields, ...rest }: ErrorAnswer): string {
    const raw = Object.entries(fields ?? {});
    let text = maskText(message ?? "");
    for (const [name] of raw) {
      const masked = this.#maskPath(name);
      if (masked !== name) text = text.replaceAll(name, masked);
    }
    const named = raw.map(([name, rule]) => [this.#maskPath(name), maskText(rule)] as const);
    const { errorCode } = rest;
    return JSON.stringify({ errorCode, message: text, fields: Object.fromEntries(named) });
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

  #write(value: Json, field: Field, place: Place): string {
    if (typeof value === "string" || typeof value === "number") {
      return writeScalar(value, field, place);
    }
    if (Array.isArray(value)) {
      return `[${value.map((item) => this.#write(item, field, place)).join()}]`;
    }
    if (typeof value === "object" && value !== null) return this.#writeObject(value, field, place);
    return String(value);
  }

  #writeObject(value: object, field: Field, place: Place): string {
    const { isRequiredValue, personal } = place;
    if (isField(value)) return JSON.stringify(this.#maskField(value, personal));
    const inside = { isRequiredValue, shown: field.shown ?? place.shown, personal };
    const parts = Object.entries(value).map(([name, content]) => {
      const inner = this.#fieldOf(name);
      const at = name === REQUIRED_VALUES ? { ...inside, isRequiredValue: true } : inside;
      return `${inner.json}:${this.#write(content, inner, at)}`;
    });
    return `{${parts.join()}}`;
  }

  #fieldOf(name: string): Field {
    const found = this.#fields.get(name);
    if (found) return found;
    const field = {
      name,
      json: JSON.stringify(this.#maskName(name)),
      isOpen: this.#known.has(name) && !SECRETS.has(name),
      isPersonal: PERSONAL.test(name),
      shown: shownIn(name),
    };
    // A program may send any number of other names.
    if (this.#known.has(name)) this.#fields.set(name, field);
    return field;
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
    return this.#known.has(name) || NAME.test(name) ? maskText(name) : MASK;
  }
}

export interface ErrorAnswer {
  errorCode?: string;
  message?: string;
  fields?: Record<string, string>;
}

interface Field {
  name: string;
  /** JSON of the name, which may be masked. */
  json: string;
  /** Whether the value of the field may be shown. */
  isOpen: boolean;
  isPersonal: boolean;
  /** The only fields that are shown in its objects; undefined if it does not limit them. */
  shown: ReadonlySet<string> | undefined;
}

/** The top of a body, whose value is in no field. */
const TOP: Field = { name: "", json: "", isOpen: false, isPersonal: false, shown: undefined };

interface Place {
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

/** @param field the nearest field of the value */
function writeScalar(
  value: string | number,
  { name, isOpen, isPersonal }: Field,
  { isRequiredValue, shown, personal }: Place,
): string {
  const text = String(value);
  if (isPersonal || isRequiredValue || shown === NOT_PERSONAL) personal.add(text);
  if (!isOpen || isRequiredValue) return MASK_JSON;
  if (isPersonal) return JSON.stringify(shorten(text));
  if (shown && !shown.has(name)) return MASK_JSON;
  const masked = maskText(text);
  return JSON.stringify(masked === text ? value : masked);
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
