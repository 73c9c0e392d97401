import qrcode from "qrcode";
import type { EsimConfirmation } from "../../contract/v1/purchases.ts";

/** Large enough for print at 25 mm and more (decisions §7 asks for 500 px at least). */
const WIDTH_PX = 600;

/** A PNG of what a phone scans to download the profile: GSMA SGP.22, decisions §7. */
export function drawActivationCode(esim: EsimConfirmation): Promise<Buffer> {
  const text = `LPA:1$${esim.smdpAddress}$${esim.activationCode}`;
  return qrcode.toBuffer(text, { type: "png", width: WIDTH_PX, errorCorrectionLevel: "M" });
}
