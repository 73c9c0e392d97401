import { FACE_SHAPE, faceOf } from "../../../../server/contract/faces/face.ts";
import type { FaceBlock } from "../blocks/receipt-block.ts";
import classes from "./receipt-view.module.css";

/** The card of a brand in lines, since a thermal head has one colour. The name stands below it. */
export function PaperFace({ block: { brandName, glyph } }: { readonly block: FaceBlock }) {
  const { width, height } = FACE_SHAPE;
  const face = faceOf({ brandName, brandColor: "", glyph }, "SMALL");
  return (
    <svg
      className={classes.face}
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      data-face
      aria-hidden="true"
    >
      <rect width={width} height={height} rx="9" />
      <path d={face.glyph.path} transform={face.glyph.transform} strokeWidth={face.glyph.stroke} />
      {face.name.lines.map(({ text, x, y }) => (
        <text
          key={y}
          x={x}
          y={y}
          fontSize={face.name.size}
          direction={face.name.isRightToLeft ? "rtl" : "ltr"}
        >
          {text}
        </text>
      ))}
    </svg>
  );
}
