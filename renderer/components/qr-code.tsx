import { useMemo } from "react";
import { late } from "../lib/late.tsx";

const LateDots = late(async () => {
  const { qrPath } = await import("../lib/qr-matrix.ts");
  return function QrDots({ content }: { readonly content: string }) {
    const { size, path } = useMemo(() => qrPath(content), [content]);
    return (
      <svg width={1} height={1} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <path d={path} fill="#000" />
      </svg>
    );
  };
});

export const fetchQrCodes = LateDots.load;

interface QrCodeProps {
  readonly content: string;
  readonly label: string;
  readonly className?: string | undefined;
}

/**
 * A QR code as a single sharp path, black on white in every theme. Its box has the final size from
 * the start.
 */
export function QrCode({ content, label, className }: QrCodeProps) {
  return (
    <svg
      className={className}
      viewBox="0 0 1 1"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={1} height={1} fill="#fff" />
      <LateDots content={content} />
    </svg>
  );
}
