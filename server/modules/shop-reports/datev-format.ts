import { type Books, entriesOf, nameOf, ReportRefused, requireAccounts } from "./books-formats.ts";

/**
 * A batch of postings in DATEV's format, version 13: header, columns and the form of every cell as
 * https://developer.datev.de/datev/platform/en/dtvf and
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel describe them. Every
 * posting is made against the clearing account, which comes to zero again each day.
 */
const LINE_END = "\r\n";
const BYTE_ORDER_MARK = "\uFEFF";

function pairs(name: (n: number) => readonly [string, string], count: number): string[] {
  return Array.from({ length: count }, (_, index) => name(index + 1)).flat();
}

const COLUMNS: readonly string[] = [
  "Umsatz (ohne Soll/Haben-Kz)",
  "Soll/Haben-Kennzeichen",
  "WKZ Umsatz",
  "Kurs",
  "Basis-Umsatz",
  "WKZ Basis-Umsatz",
  "Konto",
  "Gegenkonto (ohne BU-Schlüssel)",
  "BU-Schlüssel",
  "Belegdatum",
  "Belegfeld 1",
  "Belegfeld 2",
  "Skonto",
  "Buchungstext",
  "Postensperre",
  "Diverse Adressnummer",
  "Geschäftspartnerbank",
  "Sachverhalt",
  "Zinssperre",
  "Beleglink",
  ...pairs((n) => [`Beleginfo - Art ${n}`, `Beleginfo - Inhalt ${n}`], 8),
  "KOST1 - Kostenstelle",
  "KOST2 - Kostenstelle",
  "Kost-Menge",
  "EU-Land u. UStID (Bestimmung)",
  "EU-Steuersatz (Bestimmung)",
  "Abw. Versteuerungsart",
  "Sachverhalt L+L",
  "Funktionsergänzung L+L",
  "BU 49 Hauptfunktionstyp",
  "BU 49 Hauptfunktionsnummer",
  "BU 49 Funktionsergänzung",
  ...pairs((n) => [`Zusatzinformation - Art ${n}`, `Zusatzinformation- Inhalt ${n}`], 20),
  "Stück",
  "Gewicht",
  "Zahlweise",
  "Forderungsart",
  "Veranlagungsjahr",
  "Zugeordnete Fälligkeit",
  "Skontotyp",
  "Auftragsnummer",
  "Buchungstyp",
  "USt-Schlüssel (Anzahlungen)",
  "EU-Land (Anzahlungen)",
  "Sachverhalt L+L (Anzahlungen)",
  "EU-Steuersatz (Anzahlungen)",
  "Erlöskonto (Anzahlungen)",
  "Herkunft-Kz",
  "Buchungs GUID",
  "KOST-Datum",
  "SEPA-Mandatsreferenz",
  "Skontosperre",
  "Gesellschaftername",
  "Beteiligtennummer",
  "Identifikationsnummer",
  "Zeichnernummer",
  "Postensperre bis",
  "Bezeichnung SoBil-Sachverhalt",
  "Kennzeichen SoBil-Buchung",
  "Festschreibung",
  "Leistungsdatum",
  "Datum Zuord. Steuerperiode",
  "Fälligkeit",
  "Generalumkehr (GU)",
  "Steuersatz",
  "Land",
  "Abrechnungsreferenz",
  "BVV-Position",
  "EU-Land u. UStID (Ursprung)",
  "EU-Steuersatz (Ursprung)",
  "Abw. Skontokonto",
];

/**
 * @param madeAt such as 2026-01-31T22:30:00.000Z
 * @throws ReportRefused where an account is missing or none, or the days are of two business years
 */
export async function* formatDatev(books: Books, madeAt: string): AsyncGenerator<string> {
  const { settings, unit, days } = books;
  const entries = entriesOf(books);
  requireAccounts(entries);
  const clearing = settings.accounts.CLEARING;
  const { accountLength } = settings.datev;
  if (unit.currencyDivisor > 100) {
    throw new ReportRefused(`DATEV has no amounts with the decimals of ${unit.currency}.`);
  }
  for (const account of [clearing, ...entries.map((entry) => entry.account)]) {
    if (new RegExp(`^[0-9]{1,${accountLength + 1}}$`).test(account)) continue;
    throw new ReportRefused(
      `DATEV knows accounts by numbers of ${accountLength} digits: "${account}" is none.`,
    );
  }
  yield BYTE_ORDER_MARK + headerOf(books, madeAt) + LINE_END;
  yield COLUMNS.join(";") + LINE_END;
  for (const { day } of days) {
    const postings = entries.filter((entry) => entry.day === day);
    const lines = postings.map((entry) => {
      const cells = new Map([
        ["Umsatz (ohne Soll/Haben-Kz)", amountOf(Math.abs(entry.amount), unit.currencyDivisor)],
        ["Soll/Haben-Kennzeichen", entry.amount > 0 ? '"S"' : '"H"'],
        ["WKZ Umsatz", `"${unit.currency}"`],
        ["Konto", entry.account],
        ["Gegenkonto (ohne BU-Schlüssel)", clearing],
        ["Belegdatum", `${day.slice(8)}${day.slice(5, 7)}`],
        ["Belegfeld 1", `"TG${day.replaceAll("-", "")}"`],
        ["Buchungstext", `"${nameOf(entry).replaceAll('"', '""')}"`],
        ["Festschreibung", "0"],
      ]);
      return COLUMNS.map((column) => cells.get(column) ?? "").join(";") + LINE_END;
    });
    if (lines.length > 0) yield lines.join("");
  }
}

/** @throws ReportRefused where the days are of two business years */
function headerOf({ settings, unit, days }: Books, madeAt: string): string {
  const { yearBegins, accountLength } = settings.datev;
  const first = days[0]?.day ?? "";
  const last = days.at(-1)?.day ?? "";
  const year = businessYear(first, yearBegins);
  if (year !== businessYear(last, yearBegins)) {
    throw new ReportRefused("DATEV takes days of one business year at a time: ask for fewer days.");
  }
  const compact = (day: string) => day.replaceAll("-", "");
  const made = madeAt.replaceAll(/\D/g, "").slice(0, 17);
  const of = ['"EXTF"', "700", "21", '"Buchungsstapel"', "13", made, "", '"TG"', '""', '""'];
  const client = [String(settings.datev.consultant), String(settings.datev.client)];
  const years = [compact(year), String(accountLength), compact(first), compact(last)];
  const batch = ['"Tillgate"', '""', "1", "0", "0", `"${unit.currency}"`];
  const rest = ["", '""', "", "", '""', "", "", '""', '""'];
  return [...of, ...client, ...years, ...batch, ...rest].join(";");
}

/** The first day of the business year that a day is in. */
function businessYear(day: string, begins: string): string {
  const year = Number(day.slice(0, 4));
  return day.slice(5) >= begins ? `${year}-${begins}` : `${year - 1}-${begins}`;
}

/** Two decimals after a comma, whatever the currency has. */
function amountOf(minor: number, divisor: number): string {
  const hundredths = Math.round((minor * 100) / divisor);
  return `${Math.floor(hundredths / 100)},${String(hundredths % 100).padStart(2, "0")}`;
}
