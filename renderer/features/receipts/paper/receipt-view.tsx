import type { CSSProperties } from "react";
import { FACE_SHAPE, faceOf } from "../../../../server/contract/faces/face.ts";
import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import { directionOf } from "../../../lib/direction.ts";
import { logoAddress } from "../../../lib/logo-address.ts";
import type { Paper } from "../../../lib/print-settings.ts";
import { DOTS_PER_MM, printedModuleDots, qrPath } from "../../../lib/qr-matrix.ts";
import type {
  BarcodeBlock,
  FaceBlock,
  PairBlock,
  ReceiptBlock,
  TextBlock,
} from "../blocks/receipt-block.ts";
import { receiptBlocks } from "../blocks/receipt-blocks.ts";
import { type BarsOnPaper, barsOf, ROOM_DOTS } from "../blocks/scan-code.ts";
import classes from "./receipt-view.module.css";

interface ReceiptViewProps {
  readonly receipt: Receipt;
  readonly paper: Paper;
}

export function ReceiptView({ receipt, paper }: ReceiptViewProps) {
  return (
    <article
      className={classes.receipt}
      data-paper={paper}
      lang={receipt.language}
      dir={directionOf(receipt.language)}
    >
      {receiptBlocks(receipt).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a receipt is drawn once and never changes
        <Block key={at} block={block} paper={paper} />
      ))}
    </article>
  );
}

function Block({ block, paper }: { readonly block: ReceiptBlock; readonly paper: Paper }) {
  switch (block.kind) {
    case "logo":
      // No alternative text, because the shop's name follows.
      return <img className={classes.logo} src={logoAddress(block.digest)} alt="" />;
    case "face":
      return <PaperFace block={block} />;
    case "banner":
      return <p className={classes.banner}>{block.text}</p>;
    case "text":
      return <Text block={block} />;
    case "pair":
      return <Pair block={block} />;
    case "rule":
      return <hr className={classes.rule} data-heavy={block.heavy ?? false} />;
    case "notice":
      return (
        <div className={classes.notice}>
          <p className={classes.noticeTitle}>{block.title}</p>
          {block.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      );
    case "secret":
      return (
        <div className={classes.secret}>
          <p>{block.label}</p>
          <p className={classes.secretValue} dir="ltr">
            {block.value}
          </p>
        </div>
      );
    case "edges":
      // Only test pages of network printers have these bars.
      return null;
    case "qr":
      return <QrCode content={block.content} paper={paper} />;
    case "barcode":
      return <Barcode block={block} paper={paper} />;
  }
}

function Text({ block }: { readonly block: TextBlock }) {
  const { text, size = "body", bold = false, center = false, code = false, lang } = block;
  const Element = size === "shop" ? "h1" : "p";
  return (
    <Element
      className={classes.text}
      data-size={size}
      data-bold={bold}
      data-center={center}
      {...(lang !== undefined && { lang, dir: directionOf(lang) })}
    >
      {code ? <bdi dir="ltr">{text}</bdi> : text}
    </Element>
  );
}

/** A long value has its own line, so that the label stays wide. */
function Pair({ block }: { readonly block: PairBlock }) {
  const { label, value, size = "body", bold = false, code = false } = block;
  return (
    <p className={classes.pair} data-size={size} data-bold={bold}>
      <span className={classes.label}>{label}</span>
      {value === "" ? null : (
        <span className={classes.value} data-code={code}>
          {code ? <bdi dir="ltr">{value}</bdi> : value}
        </span>
      )}
    </p>
  );
}

/** Maximum size of a QR code in mm, with its white margin. */
const QR_MM: Readonly<Record<Paper, number>> = { "58mm": 34, "80mm": 38, A4: 50 };
/** Printable width in dots. */
const LINE_DOTS: Readonly<Record<Paper, number>> = {
  "58mm": ROOM_DOTS["58mm"],
  "80mm": ROOM_DOTS["80mm"],
  A4: 140 * DOTS_PER_MM,
};

/**
 * Centres a code, but starts it at a whole dot of the print head, because rounding from half a dot
 * would change the widths of bars.
 */
function inMiddle(widthDots: number, paper: Paper): CSSProperties {
  const left = Math.max(0, Math.floor((LINE_DOTS[paper] - widthDots) / 2));
  return {
    width: `${widthDots / DOTS_PER_MM}mm`,
    marginLeft: `${left / DOTS_PER_MM}mm`,
    marginRight: "auto",
  };
}

/** Each module is a whole number of dots wide, so that none is rounded. */
function QrCode({ content, paper }: { readonly content: string; readonly paper: Paper }) {
  const { path, size } = qrPath(content);
  return (
    <svg
      className={classes.qr}
      style={inMiddle(size * printedModuleDots(size, QR_MM[paper]), paper)}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      data-qr
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

function Barcode({ block, paper }: { readonly block: BarcodeBlock; readonly paper: Paper }) {
  const { label, content, isWithoutText = false } = block;
  const bars = barsOf(content, ROOM_DOTS[paper]);
  return (
    <figure className={classes.barcode}>
      <p>{label}</p>
      {bars ? <Bars bars={bars} paper={paper} /> : <QrCode content={content} paper={paper} />}
      {isWithoutText ? null : <figcaption dir="ltr">{content}</figcaption>}
    </figure>
  );
}

/** Each bar is a whole number of dots wide, so that none is rounded. */
function Bars({ bars, paper }: { readonly bars: BarsOnPaper; readonly paper: Paper }) {
  const { widths, totalDots } = bars;
  return (
    <svg
      viewBox={`0 0 ${totalDots} 1`}
      style={inMiddle(totalDots, paper)}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      data-bars
      aria-hidden="true"
    >
      <path d={pathOf(widths, totalDots)} />
    </svg>
  );
}

/** Returns an SVG path of the bars, centred and one unit high. */
function pathOf(widths: BarsOnPaper["widths"], totalDots: number): string {
  let x = (totalDots - widths.reduce((sum, one) => sum + one, 0)) / 2;
  let path = "";
  for (const [at, width] of widths.entries()) {
    if (at % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`;
    x += width;
  }
  return path;
}

/** Only an outline, because a thermal head has one colour. The brand's name follows. */
function PaperFace({ block: { brandName, glyph } }: { readonly block: FaceBlock }) {
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
