/** First bytes of workbook files (XLSX, XLS), which contain no text. */
const WORKBOOK_MARKS = [[0x50, 0x4b, 0x03, 0x04] as const, [0xd0, 0xcf, 0x11, 0xe0] as const];

/**
 * Decodes a table file as UTF-8, or as UTF-16 with a byte order mark. Other files have the code
 * page of spreadsheets: Windows-1256 for Arabic, Windows-1252 for other languages.
 */
export function readTableBytes(bytes: ArrayBuffer, language: string): string {
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 4));
  const isWorkbook = WORKBOOK_MARKS.some((mark) => mark.every((byte, at) => head[at] === byte));
  if (isWorkbook) return String.fromCharCode(...head);
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const codePage = /^ar\b/.test(language) ? "windows-1256" : "windows-1252";
    return new TextDecoder(codePage).decode(bytes);
  }
}
