import { getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

export interface ReadPdf {
  title: string;
  language: string;
  /** The rows of each page from top to bottom, and the cells of each row in reading order. */
  pages: string[][][];
  pictures: number;
}

interface Piece {
  text: string;
  left: number;
  right: number;
  y: number;
}

/** Maximum distance between pieces of the same cell, in points. */
const NEAR = 3.5;
/** Maximum distance between pieces without a space between them, in points. */
const TOUCHING = 1;

export async function readPdf(content: Uint8Array, direction: "ltr" | "rtl"): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(content), verbosity: 0 }).promise;
  const { info } = await document.getMetadata();
  const told = info as { Title?: string; Language?: string };
  const pages: string[][][] = [];
  let pictures = 0;
  for (let number = 1; number <= document.numPages; number++) {
    pages.push(rowsOf(await piecesOf(document, number), direction));
    pictures += await countPictures(document, number);
  }
  await document.destroy();
  return { title: told.Title ?? "", language: told.Language ?? "", pages, pictures };
}

async function piecesOf(document: PDFDocumentProxy, number: number): Promise<Piece[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!("str" in item) || item.str.trim() === "") return [];
    const [, , , , left = 0, y = 0] = item.transform;
    return [{ text: item.str, left, right: left + item.width, y: Math.round(y) }];
  });
}

async function countPictures(document: PDFDocumentProxy, number: number): Promise<number> {
  const { OPS } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const { fnArray } = await (await document.getPage(number)).getOperatorList();
  return fnArray.filter((operation) => operation === OPS.paintImageXObject).length;
}

function rowsOf(pieces: readonly Piece[], direction: "ltr" | "rtl"): string[][] {
  const rows = [...Map.groupBy(pieces, ({ y }) => y)].toSorted(([a], [b]) => b - a);
  return rows.map(([, row]) => cellsOf(row, direction));
}

function cellsOf(row: readonly Piece[], direction: "ltr" | "rtl"): string[] {
  const cells: Piece[][] = [];
  for (const piece of row.toSorted((a, b) => a.left - b.left)) {
    const last = cells.at(-1);
    const before = last?.at(-1);
    const gap = before ? piece.left - before.right : NEAR;
    const blank = { ...piece, text: " " };
    if (last && gap < NEAR) last.push(...(gap > TOUCHING ? [blank] : []), piece);
    else cells.push([piece]);
  }
  const order = <Item>(list: Item[]) => (direction === "rtl" ? list.toReversed() : list);
  return order(cells).map((cell) =>
    order(cell)
      .map(({ text }) => text)
      .join("")
      // Replaces a ligature by its letters.
      .normalize("NFKC")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}
