import { isSupportedCountry } from "libphonenumber-js/max";
import type { Environment } from "../../../contract/common.ts";
import type { BulkFault, BulkWarning } from "../../../contract/pos/bulk-runs.ts";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { WantedLine } from "../../../contract/pos/sale-lines.ts";
import type { Offer } from "../../../contract/v1/offers.ts";
import type { PhoneDescription, PhoneService } from "../../catalog/phone-lookup/index.ts";
import { type BulkCells, FIELD_PREFIX } from "./bulk-table.ts";

/** Whom a line is for, in the fields of its family; or what is wrong with it. */
export interface ReadRecipient {
  wanted: Pick<WantedLine, "recipientPhoneNumber" | "fields" | "iccid">;
  faults: BulkFault[];
  warnings: BulkWarning[];
}

interface Around {
  phones: PhoneService;
  environment: Environment;
  /** Of the shop, ISO 3166-1 alpha-2; empty where it is not known. */
  home: string;
}

/** What a spreadsheet makes of a long number: its last digits are lost. */
const ROUNDED = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;
const PHONE = /^\+?[\d\s()./-]+$/;
const ICCID = /^89\d{16,18}$/;
const PHONE_FIELD = /msisdn|phone/i;

/** The country of a number that is written with its country code; empty where it does not say. */
export function countryOf(
  { recipient = "" }: BulkCells,
  { phones, environment, home }: Around,
): string {
  if (!PHONE.test(recipient)) return home;
  const { international } = phones.read(recipient, "", environment);
  return international.valid ? international.country : home;
}

/** Reads whom a line is for, as its offer's family names them. */
export function readRecipient(offer: Offer, cells: BulkCells, around: Around): ReadRecipient {
  const { recipient } = cells;
  if (recipient !== undefined && ROUNDED.test(recipient)) {
    return faulty("recipient", "NUMBER_ROUNDED", recipient);
  }
  const kind = FAMILY_FACTS[offer.productType].recipientKind;
  if (kind === "fields") return readFields(offer, cells, around);
  const [strange] = Object.keys(cells).filter((column) => column.startsWith(FIELD_PREFIX));
  if (strange !== undefined) return faulty(strange, "RECIPIENT_NOT_TAKEN", cells[strange]);
  return kind === "number" ? readNumber(offer, cells, around) : readIccid(cells);
}

function readNumber(offer: Offer, { recipient }: BulkCells, around: Around): ReadRecipient {
  if (recipient === undefined) return faulty("recipient", "NUMBER_MISSING");
  const phone = completed(recipient, offer.country, around);
  if (!phone) return faulty("recipient", "NUMBER_BAD", recipient);
  if (phone.country !== offer.country) {
    return faulty("recipient", "NUMBER_ELSEWHERE", `${phone.formatted} (${phone.country})`);
  }
  if (!phone.mobile) return faulty("recipient", "NUMBER_NOT_MOBILE", phone.formatted);
  const { carrier } = phone;
  const isOther = carrier !== undefined && carrier.brand !== "" && carrier.brand !== offer.brand;
  return {
    wanted: { recipientPhoneNumber: phone.number },
    faults: [],
    warnings: isOther ? [{ code: "OTHER_CARRIER", detail: carrier.name }] : [],
  };
}

/** A valid number: as it is written with its country code, or of the offer's country without it. */
function completed(
  typed: string,
  country: string,
  { phones, environment }: Around,
): PhoneDescription | undefined {
  if (!PHONE.test(typed)) return undefined;
  const home = isSupportedCountry(country) ? country : "";
  const { international, local } = phones.read(typed, home, environment);
  if (international.valid && (international.country === country || !local)) return international;
  return local;
}

function readIccid({ recipient }: BulkCells): ReadRecipient {
  const iccid = recipient?.replaceAll(/\s/g, "");
  if (iccid === undefined) return { wanted: {}, faults: [], warnings: [] };
  return ICCID.test(iccid)
    ? { wanted: { iccid }, faults: [], warnings: [] }
    : faulty("recipient", "ICCID_BAD", iccid);
}

/** Each field has its column; the recipient fills the first that is asked for and has none. */
function readFields(offer: Offer, cells: BulkCells, around: Around): ReadRecipient {
  const given = new Map(
    Object.entries(cells).flatMap(([column, cell]) =>
      column.startsWith(FIELD_PREFIX) ? [[column.slice(FIELD_PREFIX.length), cell] as const] : [],
    ),
  );
  const required = "requiredFields" in offer ? offer.requiredFields : [];
  const open = required.filter((name) => !given.has(name));
  const { recipient } = cells;
  const [first, second] = open;
  if (recipient !== undefined) {
    if (first === undefined) return faulty("recipient", "RECIPIENT_NOT_TAKEN", recipient);
    given.set(first, recipient);
  }
  const missing = recipient === undefined ? first : second;
  if (missing !== undefined) return faulty(FIELD_PREFIX + missing, "FIELD_MISSING", missing);
  const fields: { key: string; value: string }[] = [];
  for (const [key, value] of given) {
    const column = key === first && recipient !== undefined ? "recipient" : FIELD_PREFIX + key;
    if (ROUNDED.test(value)) return faulty(column, "NUMBER_ROUNDED", value);
    const phone = PHONE_FIELD.test(key) ? completed(value, offer.country, around) : undefined;
    if (PHONE_FIELD.test(key) && !phone) return faulty(column, "NUMBER_BAD", value);
    fields.push({ key, value: phone?.number ?? value });
  }
  return { wanted: { fields }, faults: [], warnings: [] };
}

function faulty(field: string, code: BulkFault["code"], detail = ""): ReadRecipient {
  return { wanted: {}, faults: [{ field, code, detail: detail.slice(0, 120) }], warnings: [] };
}
