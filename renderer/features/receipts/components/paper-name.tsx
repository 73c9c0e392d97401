/** "80 mm" without a line break, from left to right in every language. */
export function PaperName({ paper }: { readonly paper: string }) {
  return <bdi dir="ltr">{paper.replace("mm", " mm")}</bdi>;
}
