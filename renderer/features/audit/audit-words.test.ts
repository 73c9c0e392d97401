import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AUDIT_ACTIONS } from "../../../server/contract/pos/audit-trail.ts";

const LOCALES = join(import.meta.dirname, "../../locales");

describe("every action of the audit trail has words", () => {
  it.each(readdirSync(LOCALES).filter((file) => file.endsWith(".json")))("in %s", (file) => {
    const words = JSON.parse(readFileSync(join(LOCALES, file), "utf8")) as {
      audit: { action: Record<string, Record<string, string>> };
    };
    const wordless = AUDIT_ACTIONS.filter((action) => {
      const [group = "", deed = ""] = action.split(".");
      return (words.audit.action[group]?.[deed] ?? "").trim() === "";
    });
    expect(wordless, "add their words under audit.action").toEqual([]);
  });
});
