/** What a line of the log may keep: instants, ids of ours, versions. */
const KEPT =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bv\d+\.\d+\.\d+\b/;
/** Keys, secrets and long tokens. */
const SECRET =
  /\b(?:test|live)_[\w-]{6,}|\bwhsec_[\w+/=-]+|\bBearer\s+\S+|(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}/;
/** Phone numbers, PINs, codes, addresses of the network: four digits or more, however they are grouped. */
const NUMBER = /\+?\(?\d(?:[\s().-]{0,2}\d){3,}/;
const MAIL = /[^\s@"']+@[^\s@"']+\.[a-z]{2,}/;

const PARTS = new RegExp(
  `(${KEPT.source})|(${SECRET.source})|(${MAIL.source})|(${NUMBER.source})`,
  "gi",
);

/** Fields whose numbers say nothing of anybody. */
const PLAIN_NUMBERS =
  /^(level|statusCode|responseTime|count|attempts?|sizeBytes|transactions)$|_ms$|_s$/;
const SECRET_FIELDS = /pin|key|secret|token|cookie|authorization|password/i;

/**
 * A function that takes out of a text what is a person's: names, numbers, PINs, keys.
 * @param names that the shop knows; other names cannot be told from words
 */
export function createRedaction(names: readonly string[]) {
  const known = names.map((name) => name.trim()).filter((name) => name.length > 1);
  const longestFirst = known.toSorted((a, b) => b.length - a.length).map(literally);
  const ofNames =
    longestFirst.length > 0
      ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "giu")
      : undefined;

  function redactText(text: string): string {
    const nameless = ofNames ? text.replaceAll(ofNames, "[name]") : text;
    return nameless.replaceAll(PARTS, (found, kept?: string, secret?: string, mail?: string) => {
      if (kept !== undefined) return found;
      if (secret !== undefined) return "[secret]";
      return mail === undefined ? "[number]" : "[address]";
    });
  }

  function redactValue(value: unknown, field: string): unknown {
    if (SECRET_FIELDS.test(field)) return "[secret]";
    if (typeof value === "string") return redactText(value);
    if (typeof value === "number") {
      return PLAIN_NUMBERS.test(field) || Math.abs(value) < 1000 ? value : "[number]";
    }
    if (Array.isArray(value)) return value.map((item) => redactValue(item, field));
    return typeof value === "object" && value !== null ? redactFields(value) : value;
  }

  function redactFields(fields: object): object {
    return Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        redactText(field),
        redactValue(value, field),
      ]),
    );
  }

  return { redactText, redactFields };
}

function literally(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
