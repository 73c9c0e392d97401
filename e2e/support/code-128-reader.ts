/** Reads Code 128 like a scanner: sets A to C and the switches between them (ISO/IEC 15417). */

type Dots = readonly boolean[];

const START: Readonly<Record<number, "B" | "C">> = { 104: "B", 105: "C" };
const TO_C = 99;
const TO_B = 100;
const STOP_UNITS = 13;
const SYMBOL_UNITS = 11;

/**
 * Decodes the bars across a row of dots; returns undefined if they are not Code 128.
 * @param symbols widths of each symbol, "212222" for the first
 */
export function readCode128(row: Dots, symbols: readonly string[]): string | undefined {
  const from = row.indexOf(true);
  const to = row.lastIndexOf(true);
  const runs: number[] = [];
  for (let at = from; at <= to; at++) {
    if (at === from || row[at] !== row[at - 1]) runs.push(0);
    runs[runs.length - 1]! += 1;
  }
  return readRuns(runs, symbols);
}

export function readRuns(runs: readonly number[], symbols: readonly string[]): string | undefined {
  const total = runs.reduce((sum, one) => sum + one, 0);
  const count = (runs.length - 7) / 6;
  const unit = total / (count * SYMBOL_UNITS + STOP_UNITS);
  const values = Array.from({ length: count }, (_, at) =>
    symbols.indexOf(
      runs
        .slice(at * 6, at * 6 + 6)
        .map((run) => Math.round(run / unit))
        .join(""),
    ),
  );
  const [start = -1, ...rest] = values;
  const check = rest.pop();
  const sum = rest.reduce((total, value, at) => total + value * (at + 1), start);
  return values.includes(-1) || check !== sum % 103 ? undefined : textOf(start, rest);
}

function textOf(start: number, values: readonly number[]): string | undefined {
  let set = START[start];
  let text = "";
  for (const value of values) {
    if (set === undefined) return undefined;
    if (set === "C" && value < 100) text += String(value).padStart(2, "0");
    else if (set === "C" && value === TO_B) set = "B";
    else if (set === "B" && value === TO_C) set = "C";
    else if (set === "B" && value < 95) text += String.fromCharCode(value + 32);
    else return undefined;
  }
  return text;
}
