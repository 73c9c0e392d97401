import type { ClipboardEvent, DragEvent } from "react";
import { readPhone } from "../../../../lib/phone-format.ts";
import type { KnownNumber } from "./favourites/known-numbers.ts";
import type { Topup } from "./use-topup.ts";

/** As many as a clerk chooses from. */
const MOST_CONTACTS = 20;
/** A whole address book is none of this. */
const LONGEST_TEXT = 100_000;
const PHONE = /\+?\d[\d\s().-]{4,}\d/;

/** A contact file is a few lines; more is something else. */
const LARGEST_FILE = 1_000_000;

/** The field takes contacts that are pasted or dropped: one number is typed, several are to be chosen from. */
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
      // Without, the browser would open a file that is dropped.
      event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      const text = event.dataTransfer.getData("text");
      if (file) {
        event.preventDefault();
        if (file.size <= LARGEST_FILE) {
          void file.text().then(take);
        }
      } else if (take(text)) {
        event.preventDefault();
      }
    },
  };
}

/**
 * The numbers of a contact file, of `tel:` links, or of several lines with a number each; empty where a
 * text is none of these, as a single number is.
 * @param home the shop's country, whose numbers need no code
 */
export function readContacts(text: string, home: string): readonly KnownNumber[] {
  const whole = text.slice(0, LONGEST_TEXT);
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
  return [...contacts.values()].slice(0, MOST_CONTACTS);
}

interface Found {
  readonly name?: string | undefined;
  readonly phone: string;
}

function ofCards(text: string): Found[] {
  // A line that begins with a space goes on with the one before (RFC 6350, 3.2).
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

/** The values of one property, such as TEL;TYPE=CELL:+502…, which may be in a group: item1.TEL. */
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

/** As old phones write names: =C3=A9. */
function unquoted(value: string): string {
  return decoded(value.replaceAll(/=(?<hex>[0-9A-F]{2})/gi, "%$<hex>"));
}

function ofLinks(text: string): Found[] {
  return [...text.matchAll(/tel:(?<phone>(?:%[0-9A-F]{2}|[+\d().-])+)/gi)].map(({ groups }) => ({
    phone: decoded(groups?.phone ?? ""),
  }));
}

/** One number a line, with a name before or behind it; a single line is what the field reads itself. */
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
