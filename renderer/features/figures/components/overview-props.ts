import type { FigureCharts, FirstPage } from "../../../../server/contract/pos/figures.ts";

/** What the parts of the first page are given. */
export interface PageProps {
  readonly page: FirstPage;
}

/** What its charts are given. */
export interface ChartsProps {
  readonly charts: FigureCharts;
}
