import { open } from "node:fs/promises";

/** Matches times, UUIDs and versions, which stay in log lines. */
const ALLOWED =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\bv\d+\.\d+\.\d+\b/;
/** Matches keys, secrets and long tokens. */
const SECRET =
  /\b(?:test|live)_[\w-]{6,}|\bwhsec_[\w+/=-]+|\bBearer\s+\S+|(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}/;
/** Matches phone numbers, PINs, codes and IP addresses: four or more digits in any grouping. */
const NUMBER = /\+?\(?\d(?:[\s().-]{0,2}\d){3,}/;
const MAIL = /[^\s@"']+@[^\s@"']+\.[a-z]{2,}/;

const PARTS = new RegExp(
  `(${ALLOWED.source})|(${SECRET.source})|(${MAIL.source})|(${NUMBER.source})`,
  "gi",
);

/** Fields whose numbers are not personal. */
const PLAIN_NUMBERS =
  /^(level|statusCode|responseTime|count|attempts?|sizeBytes|transactions)$|_ms$|_s$/;
const SECRET_FIELDS = /pin|key|secret|token|cookie|authorization|password/i;

/**
 * Removes personal data from a text: names, numbers, PINs, keys.
 * @param names stored by the shop; other names are not recognized
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

export interface LogToRedact {
  /** Paths, oldest first; missing files are skipped. */
  files: readonly string[];
  bytes: number;
  names: readonly string[];
}

export async function redactLog({ files, bytes, names }: LogToRedact): Promise<string> {
  const { redactText, redactFields } = createRedaction(names);
  const lines: string[] = [];
  for (const file of files) {
    for (const line of (await readEnd(file, bytes)).split("\n")) {
      if (line.trim() !== "") lines.push(redactLine(line));
    }
  }
  return lines.join("\n");

  function redactLine(line: string): string {
    const entry = parse(line);
    if (!entry) return redactText(line);
    const { time, pid: _pid, hostname: _hostname, ...facts } = entry;
    const at = typeof time === "number" ? new Date(time).toISOString() : undefined;
    return JSON.stringify({ ...(at !== undefined && { at }), ...redactFields(facts) });
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(line);
    if (typeof found !== "object" || found === null || Array.isArray(found)) return undefined;
    return { ...found };
  } catch {
    return undefined;
  }
}

/** Returns the last lines of a file; empty if the file is missing. */
async function readEnd(file: string, bytes: number): Promise<string> {
  const handle = await open(file, "r").catch(() => undefined);
  if (!handle) return "";
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(size - start),
      0,
      size - start,
      start,
    );
    const text = buffer.toString("utf8", 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await handle.close();
  }
}
