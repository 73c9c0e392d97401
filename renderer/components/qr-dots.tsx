import { useMemo } from "react";
import { qrPath } from "../lib/qr-matrix.ts";

export function QrDots({ content }: { readonly content: string }) {
  const { size, path } = useMemo(() => qrPath(content), [content]);
  return (
    <svg width={1} height={1} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      <path d={path} fill="#000" />
    </svg>
  );
}
