import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADDED_TO, ADDED_TO_RENDERER, DAY_WORDS_READER } from "../../testing/family-files.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Folder of the compiled copy of the source code, without tests. */
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "tillgate-family-"));
  const isTest = (file: string) => /\.test\.tsx?$/.test(file);
  for (const part of ["server", "renderer", "electron"]) {
    cpSync(join(ROOT, part), join(copy, part), {
      recursive: true,
      filter: (file) => !isTest(file),
    });
  }
  cpSync(join(ROOT, "resources/whats-new"), join(copy, "resources/whats-new"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(copy, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  look("server");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Restricts the compiler to one part of the program and its imports. */
function look(part: "server" | "renderer"): void {
  const tsconfig = readFileSync(join(ROOT, "tsconfig.json"), "utf8");
  writeFileSync(
    join(copy, "tsconfig.json"),
    tsconfig.replace(/"include": .*/, `"include": ["${part}"]`),
  );
}

function change(file: string, from: string, to: string): void {
  const path = join(copy, "server", file);
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

/** Returns the files in which the compiler finds errors. */
async function compile(part = "server"): Promise<string[]> {
  const tsc = join(ROOT, "node_modules", ".bin", "tsc");
  const output = await promisify(execFile)(tsc, ["--noEmit", "-p", copy], {
    cwd: copy,
    maxBuffer: 1e8,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const named = [...output.matchAll(/^(\w+)\/([^(]+)\(\d+,\d+\): error/gm)];
  const files = named.flatMap(([, at, file = ""]) => (at === part ? [file] : []));
  return [...new Set(files)].sort((a, b) => (a < b ? -1 : 1));
}

/** Adds texts of the family in each language, copied from the texts of bills. */
function addWords(): void {
  const folder = join(copy, "renderer/locales/families");
  cpSync(join(folder, "bill.json"), join(folder, "donation.json"));
  const words = "../renderer/locales/till-words.ts";
  const attributes = 'with { type: "json" }';
  const line = `import donation from "./families/donation.json" ${attributes};\nimport bill`;
  change(words, "import bill", line);
  change(words, "BILL_PAY: bill,", "BILL_PAY: bill, DONATION: donation,");
  change(words, "BILL_PAY } =", "BILL_PAY, DONATION } =");
  change(words, "BILL_PAY[language],", "BILL_PAY[language], DONATION: DONATION[language],");
}

function add(file: string, text: string): void {
  writeFileSync(join(copy, "server", file), text);
}

const [GLYPHS, LIST, OFFERS, POS_OFFERS, COUNTER, PURCHASES, DAY_WORDS, READING, PROVIDERS, GOODS] =
  ADDED_TO;
describe("a copy of the source code", () => {
  it("compiles before a fifth family is added", { timeout: 120_000 }, async () => {
    expect(await compile()).toEqual([]);
  });

  it("fails to compile in each file that lacks the family", { timeout: 120_000 }, async () => {
    change(LIST, '"BILL_PAY"] as const', '"BILL_PAY", "DONATION"] as const');
    expect(await compile()).toContain(LIST);

    change(LIST, "BILL_PAY: value", "BILL_PAY: value, DONATION: value");
    const facts = 'path: "donations", tag: "D", name: "Donation", words: "a donation"';
    const about = 'about: "Gifts to charities"';
    const kind =
      'isPromoted: false, recipientKind: "fields", deliversMoney: true, redeemedBy: "nothing", key: "F5", sell: "donation"';
    change(
      LIST,
      "} as const satisfies",
      `DONATION: { ${facts}, ${about}, ${kind} } } as const satisfies`,
    );
    change(
      OFFERS,
      "export type Offer =",
      `export const DonationOffer = Type.Object({
        ...VoucherOffer.properties,
        productType: Type.Literal("DONATION"),
      });
      export type Offer = Static<typeof DonationOffer> |`,
    );
    change(
      OFFERS,
      "} satisfies Record<Family",
      "DONATION: { offer: DonationOffer, page: Paged(DonationOffer), query: OfferQuery } } satisfies Record<Family",
    );
    // Each of these files still lacks one line for the family: icon, counter, PDF text, bulk
    // column, purchase, provider, test item.
    const lacking = [GLYPHS, COUNTER, DAY_WORDS_READER, READING, PURCHASES, PROVIDERS, GOODS];
    expect((await compile()).toSorted()).toEqual(lacking.toSorted());
  });

  it("compiles after family files, and a few lines in existing server files, are added", {
    timeout: 120_000,
  }, async () => {
    change(
      POS_OFFERS,
      "export const PosOffer = Type.Union([",
      `const PosDonationOffer = Type.Object({
        productType: Type.Literal("DONATION"),
        ...head,
        send,
        requiredFields: Type.Array(PosField),
      });
      export const PosOffer = Type.Union([PosDonationOffer, `,
    );
    change(COUNTER, "const billFamily =", `${COUNTER_DONATION}\nconst billFamily =`);
    add("contract/v1/donation-purchases.ts", DONATION_PURCHASES);
    add("modules/purchases/purchases/families/donation.ts", PURCHASED_DONATION);
    add("providers/families/donation.ts", SUPPLIED_DONATION);
    for (const list of [PURCHASES, PROVIDERS]) {
      change(list, "import ", 'import { donationFamily } from "./donation.ts";\nimport ');
    }
    for (const list of [COUNTER, PURCHASES, PROVIDERS]) {
      change(list, "BILL_PAY: billFamily,", "BILL_PAY: billFamily, DONATION: donationFamily,");
    }
    const line = '{ productType: "DONATION", offerId: "RED_CROSS" }';
    const goods = `DONATION: { lines: [${line}], body: () => ({ offerId: "RED_CROSS" }) },`;
    change(GOODS, "  BILL_PAY: {", `  ${goods}\n  BILL_PAY: {`);
    change(READING, "BILL_PAY: readBillFields,", "BILL_PAY: readBillFields, DONATION: () => ({}),");
    change(GLYPHS, 'BILL_PAY: "card",', 'BILL_PAY: "card", DONATION: "gift",');
    const texts = readFileSync(join(copy, "server", DAY_WORDS), "utf8");
    add(DAY_WORDS, texts.replaceAll('"family": {', '"family": { "DONATION": "Donations",'));
    expect(await compile()).toEqual([]);
  });

  it("requires changes to four renderer files, and to fourteen files in all, as docs/contribute.md states", {
    timeout: 240_000,
  }, async () => {
    look("renderer");
    expect(await compile("renderer")).toContain("locales/till-words.ts");
    addWords();
    expect(await compile("renderer")).toEqual(ADDED_TO_RENDERER);
    expect(ADDED_TO.length + ADDED_TO_RENDERER.length + 1).toBe(14);
  });
});

const COUNTER_DONATION = `const donationFamily = counterFamily("DONATION", {
  view: (offer, brand) => ({
    productType: offer.productType,
    ...viewHead(offer, brand),
    send: viewRange(offer.send),
    requiredFields: viewFields(offer.requiredFields, brand),
  }),
  kindOf: () => null,
});
`;

const DONATION_PURCHASES = `
import { Type } from "typebox";
import { Input, TransactionId } from "../common.ts";
import { PurchaseValue, purchaseRecord, toQuoteSchema, VoucherField } from "./purchase-record.ts";

const fields = Type.Array(VoucherField);
export const DonationPurchase = Type.Object({ ...purchaseRecord, fields });
export const DonationQuote = toQuoteSchema(DonationPurchase, "DonationQuote");
export const DonationPurchaseInput = Input({
  offerId: Type.String(),
  transactionId: TransactionId,
  fields,
  value: Type.Optional(PurchaseValue),
});
`;

const PURCHASED_DONATION = `
import {
  DonationPurchase,
  DonationPurchaseInput,
  DonationQuote,
} from "../../../../contract/v1/donation-purchases.ts";
import { commonFields, prepared, purchasedFamily, VALUE_REFUSALS } from "./family.ts";

export const donationFamily = purchasedFamily("DONATION", {
  buying: "Give to a charity",
  refusals: VALUE_REFUSALS,
  input: DonationPurchaseInput,
  record: DonationPurchase,
  quote: DonationQuote,
  lineFields: { fields: "optional", value: "optional" },
  async prepare({ catalog }, scope, input) {
    const offer = await catalog.getOfferForSale(scope, "DONATION", input.offerId);
    return prepared(scope, offer, input, { recipient: "", extras: { fields: input.fields } });
  },
  inputOf: ({ transactionId, offerId, value, fields = [] }) => ({
    transactionId,
    offerId,
    ...(value && { value }),
    fields,
  }),
  toRecord: (purchase) => ({ ...commonFields(purchase), fields: purchase.extras.fields ?? [] }),
});
`;

const SUPPLIED_DONATION = `
import { inputHead, inputValue, type SuppliedFamily } from "./family.ts";

export const donationFamily: SuppliedFamily = {
  simulate: () => ({}),
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    fields: order.extras.fields ?? [],
    ...inputValue(order),
  }),
  confirmation: "needed",
  readDelivered: () => ({}),
};
`;
