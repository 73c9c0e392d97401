import { late } from "../lib/late.tsx";

/** The dots of every QR code, to be fetched ahead of the first. */
export const LateQrDots = late(async () => (await import("./qr-dots.tsx")).QrDots);

interface QrCodeProps {
  readonly content: string;
  /** Its content in words, for people who cannot see it. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** A QR code, black on white in every theme; its size is the box's, which is there before its dots. */
export function QrCode({ content, label, className }: QrCodeProps) {
  return (
    <svg
      className={className}
      viewBox="0 0 1 1"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width="1" height="1" fill="#fff" />
      <LateQrDots content={content} />
    </svg>
  );
}
