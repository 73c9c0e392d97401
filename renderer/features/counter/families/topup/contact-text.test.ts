import { expect, it } from "vitest";
import { readContacts } from "./typed-text.ts";

function namesOf(text: string, home = "GT") {
  return readContacts(text, home).map(({ number, name }) => [number, name]);
}

it("readContacts reads each number of a contact file with its name", () => {
  const card = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    "FN:Ana López\\, tienda",
    "TEL;TYPE=CELL:+502 5123-4567",
    "item1.TEL;VALUE=uri:tel:+502-5234-",
    " 5678;ext=1",
    "NOTE:24 h",
    "END:VCARD",
    "BEGIN:VCARD",
    "FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Jos=C3=A9",
    "TEL;HOME:51230000",
    "TEL:12",
    "END:VCARD",
  ].join("\r\n");
  expect(namesOf(card)).toEqual([
    ["+50251234567", "Ana López, tienda"],
    ["+50252345678", "Ana López, tienda"],
    ["+50251230000", "José"],
  ]);
});

it("readContacts reads a tel: link with percent-encoded characters", () => {
  expect(namesOf("tel:%2B502-5123-4567")).toEqual([["+50251234567", undefined]]);
  expect(namesOf('<a href="tel:+50251234567">Ana</a>')).toEqual([["+50251234567", undefined]]);
});

it("readContacts reads several lines with a number each, and drops repeated numbers", () => {
  expect(namesOf("Ana, 5123 4567\nLuis: +502 5234 5678\nAna 51234567\n")).toEqual([
    ["+50251234567", "Ana"],
    ["+50252345678", "Luis"],
  ]);
});

it.each([
  ["a single number", "+502 5123 4567"],
  ["words", "netflix 50\nspain esim"],
  ["a contact without a number", "BEGIN:VCARD\nFN:Ana\nEND:VCARD"],
  ["nothing", ""],
])("readContacts leaves %s to the number field", (_, text) => {
  expect(readContacts(text, "GT")).toEqual([]);
});
