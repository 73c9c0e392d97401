import type { EngineTexts, SchemaTexts, TriggerText } from "../../engine-words.ts";

/** SQL of the baseline that differs between the engines, as texts. */
export interface BaselineWords
  extends Pick<EngineTexts, "isJson" | "jsonField">,
    Pick<
      SchemaTexts,
      "whole" | "fraction" | "bytes" | "numberedKey" | "tableEnd" | "keyedTableEnd"
    > {
  /** After the last column of a table whose rows are read in insertion order. */
  readonly inserted: string;
  readonly appendOnly: (table: string) => string;
  readonly trigger: (trigger: TriggerText) => string;
  /** Creates a trigger that refuses the change. */
  readonly guard: (trigger: Omit<TriggerText, "body"> & { message: string }) => string;
  /** Returns the statement for SQLite, and an empty text for PostgreSQL. */
  readonly onlyInFile: (statement: string) => string;
  /** Between tables that a trigger must read in this order. */
  readonly joinInOrder: string;
}

const BETWEEN = ";\n\n";

export function toBaselineWords({ schema, ...texts }: EngineTexts): BaselineWords {
  const trigger = (text: TriggerText) => join(schema.trigger(text));
  return {
    ...texts,
    ...schema,
    inserted: schema.insertedColumn,
    appendOnly: (table) => join(schema.appendOnly(table)),
    onlyInFile: (statement) => (texts.hasChecksums ? `${statement};` : ""),
    trigger,
    guard: ({ message, ...text }) => trigger({ ...text, body: schema.refusal(message) }),
  };
}

function join(statements: readonly string[]): string {
  return `${statements.join(BETWEEN)};`;
}

export function splitStatements(text: string): string[] {
  return text
    .trim()
    .split(BETWEEN)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter((statement) => statement !== "");
}
