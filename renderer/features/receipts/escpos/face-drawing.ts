import { faceOf } from "../../../../server/contract/faces/face.ts";
import type { FaceBlock } from "../blocks/receipt-block.ts";
import { FACE_MM } from "../blocks/receipt-block.ts";
import { DOTS_PER_MM } from "../blocks/scan-code.ts";

/** A thermal head prints finer lines than this unevenly. */
const LINE_DOTS = 2;

export const FACE_DOTS = {
  width: FACE_MM.width * DOTS_PER_MM,
  height: FACE_MM.height * DOTS_PER_MM,
} as const;

/** The card of a brand, as lines: black, with its left edge at `left`. */
export function drawFace(
  context: OffscreenCanvasRenderingContext2D,
  { brandName, glyph }: FaceBlock,
  { left, family }: { readonly left: number; readonly family: string },
): void {
  const face = faceOf({ brandName, brandColor: "", glyph }, "SMALL", FACE_DOTS);
  const { width, height } = FACE_DOTS;
  context.save();
  context.translate(left, 0);
  context.lineWidth = LINE_DOTS;
  context.beginPath();
  context.roundRect(LINE_DOTS / 2, LINE_DOTS / 2, width - LINE_DOTS, height - LINE_DOTS, 6);
  context.stroke();
  const { name } = face;
  context.font = `700 ${name.size}px ${family}`;
  context.direction = name.isRightToLeft ? "rtl" : "ltr";
  context.textAlign = name.isRightToLeft ? "right" : "left";
  context.textBaseline = "alphabetic";
  for (const { text, x, y } of name.lines) context.fillText(text, x, y);
  const [, x = 0, y = 0, scale = 1] =
    /translate\((\S+) (\S+)\) scale\((\S+)\)/.exec(face.glyph.transform)?.map(Number) ?? [];
  context.translate(x, y);
  context.scale(scale, scale);
  context.lineWidth = Math.max(face.glyph.stroke, LINE_DOTS / scale);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.stroke(new Path2D(face.glyph.path));
  context.restore();
}
