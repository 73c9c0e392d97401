/** Large enough for print at 25 mm and more (rules#esim-qr-code). */
const WIDTH_PX = 600;
/** White border around the code that a camera needs, in modules. */
const QUIET_ZONE = 4;

/** Draws the code that a phone scans as a PNG (rules#esim-qr-code). */
export async function drawQrCode(lpaCode: string): Promise<Buffer> {
  const { default: qrcode } = await import("qrcode");
  const options = { errorCorrectionLevel: "M" } as const;
  const { size } = qrcode.create(lpaCode, options).modules;
  // Every module has the same number of pixels: a fixed width of the image would round each of them.
  const scale = Math.round(WIDTH_PX / (size + 2 * QUIET_ZONE));
  return qrcode.toBuffer(lpaCode, { ...options, type: "png", margin: QUIET_ZONE, scale });
}
