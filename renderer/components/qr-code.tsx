import { useMemo } from "react";
import { qrPath } from "../lib/qr-matrix.ts";

interface QrCodeProps {
  readonly content: string;
  /** Its content in words, for people who cannot see it. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** A QR code as one sharp path, black on white in every theme; its size is the box's. */
export function QrCode({ content, label, className }: QrCodeProps) {
  const { size, path } = useMemo(() => qrPath(content), [content]);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
