import { createHash } from "node:crypto";
import type { Confirmation } from "../../contract/v1/purchase-record.ts";
import { normalizeEsim } from "../../lib/esim-profile.ts";
import type { FieldReader } from "../field-reader.ts";
import { digitsOf } from "../order-digest.ts";
import type { Order } from "../provider.ts";
import { type Delivered, inputHead, type SuppliedFamily } from "./family.ts";

/**
 * Family of orders for a new eSIM profile, or for a plan of an existing eSIM
 * (rules#esim-confirmation).
 */
export const esimFamily: SuppliedFamily = {
  simulate,
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    ...(order.extras.iccid !== undefined && { iccid: order.extras.iccid }),
  }),
  confirmation: "optional",
  readDelivered,
};

function simulate({ extras }: Order, digest: Buffer, confirmation: Confirmation): Delivered {
  const { iccid = iccidOf(digest) } = extras;
  return {
    esim: {
      activationCode: createHash("sha256").update(iccid).digest("hex").slice(0, 32).toUpperCase(),
      externalReferenceId: confirmation.externalReferenceId,
      iccid,
      redemptionInstructions:
        "Open the phone's settings, add an eSIM and scan the code. This is a test eSIM: it connects nowhere.",
      smdpAddress: "smdp.sandbox.example",
    },
  };
}

/**
 * Returns an ICCID: 20 digits that start with 89 and end with a check digit
 * (rules#esim-confirmation, ITU-T E.118).
 */
function iccidOf(digest: Buffer): string {
  const body = `8900${digitsOf(digest, 0, 15)}`;
  return body + luhnDigit(body);
}

function luhnDigit(body: string): string {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

function readDelivered({ extras }: Order, record: FieldReader): Delivered {
  const given = record.part("confirmation", "optional");
  const isNew = extras.iccid === undefined;
  const written = {
    iccid: given.code("iccid", "needed"),
    smdpAddress: given.code("smdpAddress"),
    activationCode: given.code("activationCode", isNew ? "needed" : "optional"),
  };
  const profile = normalizeEsim(written);
  for (const name of ["iccid", "smdpAddress", "activationCode"] as const) {
    const isKept =
      profile[name] !== "" || (written[name] === "" && (name !== "smdpAddress" || !isNew));
    if (!isKept) given.note(name, written[name] === "" ? "MISSING" : "UNREADABLE", true);
    else if (profile[name] !== written[name]) given.note(name, "CONVERTED");
  }
  const { iccid } = profile;
  if (extras.iccid !== undefined && iccid !== "" && iccid !== extras.iccid) {
    given.note("iccid", "DIFFERS", true);
  }
  return {
    esim: {
      activationCode: profile.activationCode,
      externalReferenceId: given.text("externalReferenceId"),
      iccid: iccid || (extras.iccid ?? ""),
      redemptionInstructions: given.text("redemptionInstructions"),
      smdpAddress: profile.smdpAddress,
    },
  };
}
