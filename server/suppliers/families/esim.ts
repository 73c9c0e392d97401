import { createHash } from "node:crypto";
import type { Confirmation } from "../../contract/v1/purchase-record.ts";
import { digitsOf } from "../order-digest.ts";
import type { Order } from "../supplier.ts";
import { UpstreamUnclear } from "../upstream/upstream-call.ts";
import type { UpstreamPurchase } from "../upstream/upstream-records.ts";
import { type Delivered, inputHead, type SuppliedFamily } from "./family.ts";

const ICCID = /^89\d{16,18}$/;

/** An eSIM is a profile of its own, or a plan for one that the buyer has (rules#esim-confirmation). */
export const esimFamily: SuppliedFamily = {
  simulate,
  toPurchaseInput: (order) => ({
    ...inputHead(order),
    ...(order.extras.iccid !== undefined && { iccid: order.extras.iccid }),
  }),
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

/** 20 digits that begin with 89 and end with their check digit (rules#esim-confirmation, ITU-T E.118). */
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

function readDelivered({ extras }: Order, { confirmation = {} }: UpstreamPurchase): Delivered {
  const { iccid = "", activationCode = "", smdpAddress = "" } = confirmation;
  if (!ICCID.test(iccid)) throw new UpstreamUnclear("It says DONE and names no eSIM.");
  const wanted = extras.iccid;
  if (wanted !== undefined && wanted !== iccid) {
    throw new UpstreamUnclear("It says DONE for another eSIM.");
  }
  if (wanted === undefined && (activationCode === "" || smdpAddress === "")) {
    throw new UpstreamUnclear("It says DONE and the eSIM cannot be installed.");
  }
  return {
    esim: {
      activationCode,
      externalReferenceId: confirmation.externalReferenceId ?? "",
      iccid,
      redemptionInstructions: confirmation.redemptionInstructions ?? "",
      smdpAddress,
    },
  };
}
