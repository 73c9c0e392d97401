import type { ClipboardEvent, DragEvent } from "react";
import { latinDigits } from "../../../../lib/direction.ts";
import { LONGEST_PHONE, readPhone, typedNumber } from "../../../../lib/phone-format.ts";
import type { KnownNumber, TypedText } from "./favourites/known-numbers.ts";
import type { TopupEvent } from "./topup-state.ts";
import type { Topup } from "./use-topup.ts";

/** Enough for the longest name. */
const MAX_QUERY_LENGTH = 40;
const MAX_CODE_LENGTH = 80;
/**
 * A pasted text with at least this many digits is a number, even if it contains other characters.
 */
const SURELY_A_NUMBER = 6;
const CODE_SIGNS = /^[\d\s()\].+-]+$/;

/**
 * Reads the field's text as a number, or as words that name a customer or a product. An amount or
 * account may follow the words. A barcode that cannot be a phone number is unchanged.
 */
export function readTyped(text: string, before: TypedText): TopupEvent {
  const digits = typedNumber(text);
  const code = readCode(text, before);
  if (code !== undefined) {
    return { type: "name-typed", query: code.slice(0, MAX_CODE_LENGTH) };
  }
  const isGoingOn = before.query !== "" && text.startsWith(before.query.slice(0, -1));
  const isWords = hasLetters(text) && before.digits === "";
  const isScan = /^\]?C1\d/i.test(text);
  return isWords && (isGoingOn || digits.length < SURELY_A_NUMBER || isScan)
    ? {
        type: "name-typed",
        query: text.trimStart().slice(0, isScan ? MAX_CODE_LENGTH : MAX_QUERY_LENGTH),
      }
    : { type: "number-typed", digits };
}

/**
 * Returns a code that cannot be a phone number. It has too many digits, as on eSIM cards and bills,
 * or leading zeros, as on receipts.
 */
function readCode(text: string, before: TypedText): string | undefined {
  const latin = latinDigits(text).trim();
  const digits = latin.replaceAll(/\D/g, "");
  if (!CODE_SIGNS.test(latin)) {
    return /^89\d{14,}F$/i.test(latin.replaceAll(/\s/g, "")) ? latin : undefined;
  }
  // The field has replaced "00" by "+". No calling code starts with 0, so the text is a code.
  const isOfZeros = latin === "+0" && before.digits === "+";
  const isLong = digits.length > LONGEST_PHONE + (latin.startsWith("00") ? 2 : 0);
  const hasPlus = latin.startsWith("+");
  if (isOfZeros || (isLong && hasPlus && before.digits.startsWith("+"))) {
    return `00${digits}`;
  }
  if (hasPlus || !(isLong || digits.startsWith("000"))) {
    return undefined;
  }
  return latin.startsWith("(") ? latin : digits;
}

export function isCode(query: string): boolean {
  return query !== "" && CODE_SIGNS.test(query.replace(/^\]?C1/i, ""));
}

export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}

const MAX_CONTACTS = 20;
const MAX_TEXT_LENGTH = 100_000;
const PHONE = /\+?\d[\d\s().-]{4,}\d/;

/** Maximum size of a dropped file. Contact files are much smaller. */
const MAX_FILE_BYTES = 1_000_000;

/**
 * Turns the numbers of pasted or dropped contacts into choices. The field reads a single number.
 */
export function contactsInto({ homeCountry, dispatch }: Pick<Topup, "homeCountry" | "dispatch">) {
  function take(text: string): boolean {
    const contacts = readContacts(text, homeCountry);
    if (contacts.length > 0) {
      dispatch({ type: "contacts-read", contacts });
    }
    return contacts.length > 0;
  }

  return {
    onPaste: (event: ClipboardEvent) => {
      if (take(event.clipboardData.getData("text"))) {
        event.preventDefault();
      }
    },
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (file) {
        event.preventDefault();
        if (file.size <= MAX_FILE_BYTES) {
          void file.text().then(take);
        }
      } else if (take(text)) {
        event.preventDefault();
      }
    },
  };
}

/**
 * Reads the numbers of a contact file, of `tel:` links, or of several lines with a number each.
 * Returns an empty list for other text and for a single number.
 * @param home country of the shop; its numbers need no calling code
 */
export function readContacts(text: string, home: string): readonly KnownNumber[] {
  const whole = text.slice(0, MAX_TEXT_LENGTH);
  const found = /^BEGIN:VCARD/im.test(whole)
    ? ofCards(whole)
    : [...ofLinks(whole), ...(/tel:/i.test(whole) ? [] : ofLines(whole))];
  const contacts = new Map<string, KnownNumber>();
  for (const { name, phone } of found) {
    const read = readPhone(phone, home);
    if (read && !contacts.has(read.number)) {
      contacts.set(read.number, { ...read, ...(name && { name }), isContact: true });
    }
  }
  return [...contacts.values()].slice(0, MAX_CONTACTS);
}

interface Found {
  readonly name?: string | undefined;
  readonly phone: string;
}

function ofCards(text: string): Found[] {
  // A line that starts with a space continues the previous line (RFC 6350, section 3.2).
  const cards = text.replaceAll(/\r?\n[ \t]/g, "").split(/^END:VCARD/im);
  return cards.flatMap((card) => {
    const lines = card.split(/\r?\n/);
    const [name = ""] = valuesOf(lines, "FN");
    return valuesOf(lines, "TEL").map((value) => ({
      name: name.trim(),
      phone: value.replace(/^tel:/i, "").replace(/;.*$/, ""),
    }));
  });
}

/**
 * Values of a property, such as TEL;TYPE=CELL:+502…, with or without a group prefix (item1.TEL).
 */
function valuesOf(lines: readonly string[], property: string): string[] {
  const head = new RegExp(`^(?:[\\w-]+\\.)?${property}(?<how>;[^:]*)?:(?<value>.*)$`, "i");
  return lines.flatMap((line) => {
    const { how = "", value = "" } = head.exec(line)?.groups ?? {};
    return value === "" ? [] : [/QUOTED-PRINTABLE/i.test(how) ? unquoted(value) : plain(value)];
  });
}

function plain(value: string): string {
  return value.replaceAll(/\\(?<sign>[,;\\])/g, "$<sign>");
}

/** Decodes quoted-printable names from old phones, such as =C3=A9. */
function unquoted(value: string): string {
  return decoded(value.replaceAll(/=(?<hex>[0-9A-F]{2})/gi, "%$<hex>"));
}

function ofLinks(text: string): Found[] {
  return [...text.matchAll(/tel:(?<phone>(?:%[0-9A-F]{2}|[+\d().-])+)/gi)].map(({ groups }) => ({
    phone: decoded(groups?.phone ?? ""),
  }));
}

/** Reads a number from each line, with a name before or after it. */
function ofLines(text: string): Found[] {
  const found = text.split(/[\r\n]+/).flatMap((line) => {
    const [phone] = PHONE.exec(line) ?? [];
    const name = phone && line.replace(phone, "").replaceAll(/[\s,;:|"<>]+/g, " ");
    return phone ? [{ phone, name: name?.trim() }] : [];
  });
  return found.length > 1 ? found : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
