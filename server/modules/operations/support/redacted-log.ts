import { open } from "node:fs/promises";
import { createRedaction } from "./redaction.ts";

/** Which log, and what is taken out of it. */
export interface LogToRedact {
  /** Oldest first; one that is not there is left out. */
  files: readonly string[];
  /** Of each file, its end. */
  bytes: number;
  names: readonly string[];
}

/** The ends of log files as one text, a line each, without anything of anybody's. */
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

/** The last bytes of a file, from the beginning of a line; empty where there is no file. */
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
