/** Approximate width; enough for a print of 25 mm or more (rules#esim-qr-code). */
const WIDTH_PX = 600;
/** Border in modules, which cameras need. */
const QUIET_ZONE = 4;

export async function drawQrCode(lpaCode: string): Promise<Buffer> {
  const { default: qrcode } = await import("qrcode");
  const options = { errorCorrectionLevel: "M" } as const;
  const { size } = qrcode.create(lpaCode, options).modules;
  // A whole number of pixels per module. A fixed image width would make modules unequal.
  const scale = Math.round(WIDTH_PX / (size + 2 * QUIET_ZONE));
  return qrcode.toBuffer(lpaCode, { ...options, type: "png", margin: QUIET_ZONE, scale });
}
