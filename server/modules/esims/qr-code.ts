import type { EsimConfirmation } from "../../contract/v1/esim-purchases.ts";

/** Large enough for print at 25 mm and more (rules#esim-qr-code). */
const WIDTH_PX = 600;

/** What a phone scans to download the profile: GSMA SGP.22 (rules#esim-qr-code). */
export function qrContentOf({ smdpAddress, activationCode }: EsimConfirmation): string {
  return `LPA:1$${smdpAddress}$${activationCode}`;
}

/** A PNG of it. */
export async function drawActivationCode(esim: EsimConfirmation): Promise<Buffer> {
  const { default: qrcode } = await import("qrcode");
  return qrcode.toBuffer(qrContentOf(esim), {
    type: "png",
    width: WIDTH_PX,
    errorCorrectionLevel: "M",
  });
}
