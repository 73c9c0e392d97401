import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The server in a directory of its own, without its tests, for the compiler to look at. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "tillgate-family-"));
  const isTest = (file: string) => file.endsWith(".test.ts");
  cpSync(join(ROOT, "server"), join(copy, "server"), {
    recursive: true,
    filter: (file) => !isTest(file),
  });
  cpSync(join(ROOT, "package.json"), join(copy, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const tsconfig = readFileSync(join(ROOT, "tsconfig.json"), "utf8");
  writeFileSync(
    join(copy, "tsconfig.json"),
    tsconfig.replace(/"include": .*/, '"include": ["server"]'),
  );
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function change(file: string, from: string, to: string): void {
  const path = join(copy, "server", file);
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

/** The files that the compiler finds fault with. */
async function compile(): Promise<string[]> {
  const tsc = join(ROOT, "node_modules", ".bin", "tsc");
  const output = await promisify(execFile)(tsc, ["--noEmit", "-p", copy], {
    cwd: copy,
    maxBuffer: 1e8,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const named = [...output.matchAll(/^server\/([^(]+)\(\d+,\d+\): error/gm)];
  return [...new Set(named.map(([, file = ""]) => file))].sort((a, b) => (a < b ? -1 : 1));
}

/** A fifth family, donations, as a contributor would begin it. */
describe("a family more", () => {
  it("compiles without it", { timeout: 120_000 }, async () => {
    expect(await compile()).toEqual([]);
  });

  it("is named by the compiler wherever it is missing", { timeout: 120_000 }, async () => {
    change("contract/pos/families.ts", '"BILL_PAY"] as const', '"BILL_PAY", "DONATION"] as const');
    expect(await compile()).toEqual(
      expect.arrayContaining(["contract/pos/families.ts", "contract/v1/family-facts.ts"]),
    );

    for (const value of ["value", '"fields"', "true"]) {
      change(
        "contract/pos/families.ts",
        `BILL_PAY: ${value}`,
        `BILL_PAY: ${value}, DONATION: ${value}`,
      );
    }
    const facts = 'path: "donations", tag: "D", name: "Donation", words: "a donation"';
    change(
      "contract/v1/family-facts.ts",
      "} as const satisfies",
      `DONATION: { ${facts}, isPromoted: false } } as const satisfies`,
    );
    change(
      "contract/v1/offers.ts",
      "export type Offer =",
      `const DonationOffer = Type.Object({
        ...VoucherOffer.properties,
        productType: Type.Literal("DONATION"),
      });
      export type Offer = Static<typeof DonationOffer> |`,
    );
    change(
      "contract/v1/offers.ts",
      "} satisfies Record<Family",
      "DONATION: { offer: DonationOffer, page: Paged(DonationOffer), query: OfferQuery } } satisfies Record<Family",
    );
    // What is left is each one place: what it is bought with, how it is shown, how it is delivered.
    expect(await compile()).toEqual([
      "modules/counter-catalog/offer-view.ts",
      "modules/counter-catalog/one-price.ts",
      "modules/purchases/purchase-records.ts",
      "modules/purchases/purchase-routes.ts",
      "modules/sales/wanted-line.ts",
      "suppliers/simulator-fulfilment.ts",
      "suppliers/upstream/upstream-fulfilment.ts",
      "suppliers/upstream/upstream-orders.ts",
      "testing/simulation/basket.ts",
      "testing/simulation/simulation.ts",
    ]);
  });
});
