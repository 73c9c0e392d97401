import { PostgresQueryCompiler } from "kysely";
import { EngineWord } from "../engine-words.ts";
import { POSTGRES_TEXTS } from "./engine-texts.ts";

/** Writes what the engines say differently in PostgreSQL's words. */
export class PostgresWordsCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof EngineWord) this.append(value.write(POSTGRES_TEXTS));
    else super.appendValue(value);
  }
}
