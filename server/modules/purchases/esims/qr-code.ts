/** Large enough for print at 25 mm and more (rules#esim-qr-code). */
const WIDTH_PX = 600;

/** Draws the code that a phone scans as a PNG (rules#esim-qr-code). */
export async function drawQrCode(lpaCode: string): Promise<Buffer> {
  const { default: qrcode } = await import("qrcode");
  return qrcode.toBuffer(lpaCode, {
    type: "png",
    width: WIDTH_PX,
    errorCorrectionLevel: "M",
  });
}
