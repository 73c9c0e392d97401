/** An offer's title with its brand in front, unless the title says it already. */
export function offerTitle(brandName: string, title: string): string {
  return title.toLowerCase().includes(brandName.toLowerCase()) ? title : `${brandName} ${title}`;
}
