import QRCode from "qrcode";
import { useMemo } from "react";

/** Modules of blank around the code, as scanners ask for. */
const QUIET_ZONE = 4;

interface QrCodeProps {
  readonly content: string;
  /** What a person learns from it, for those who cannot see it. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** A QR code as one sharp path, black on white in every theme; its size is the box's. */
export function QrCode({ content, label, className }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(content), [content]);
  const width = size + 2 * QUIET_ZONE;
  return (
    <svg
      className={className}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={width} height={width} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function draw(content: string): { size: number; path: string } {
  const { modules } = QRCode.create(content, { errorCorrectionLevel: "M" });
  const { size } = modules;
  let path = "";
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (modules.get(row, column)) path += `M${column} ${row}h1v1h-1z`;
    }
  }
  return { size, path };
}
