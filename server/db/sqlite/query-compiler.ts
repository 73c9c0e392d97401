import { SqliteQueryCompiler } from "kysely";
import { EngineWord } from "../engine-words.ts";
import { SealedText } from "../sealed-text.ts";
import { SQLITE_TEXTS } from "./engine-texts.ts";

/**
 * Writes each value as `+?`. SQLite plans a query by the values that are bound to it, where it can see
 * them, and so plans it anew each time other values are bound: that takes up to fifty times as long as
 * running it. Behind the sign it does not see them, and a prepared query stays planned
 * (rules#purchase-cost). The sign changes neither a value nor which indexes fit.
 */
export class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?";
  }

  protected override appendValue(value: unknown): void {
    if (value instanceof EngineWord) this.append(value.write(SQLITE_TEXTS));
    else if (value instanceof SealedText) {
      this.append("seal_text(");
      super.appendValue(value.text);
      this.append(")");
    } else super.appendValue(value);
  }
}
