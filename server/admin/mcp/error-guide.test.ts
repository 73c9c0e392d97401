import { join } from "node:path";
import { expect, it } from "vitest";
import { FAILURE_CODES } from "../../contract/error-codes.ts";
import { ERROR_CODES } from "../../http/openapi-errors.ts";
import { PROGRAM_DIR } from "../../program.ts";
import { readErrorGuide } from "./tools.ts";

it("the integrators' guide explains every error code of /v1, and no other", async () => {
  const entries = await readErrorGuide(join(PROGRAM_DIR, "docs/integrate.md"));
  const codes = entries.map(({ code }) => code);
  expect(codes.toSorted()).toEqual([...new Set([...ERROR_CODES, ...FAILURE_CODES])].toSorted());
});
