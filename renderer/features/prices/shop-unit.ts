export interface ShopUnit {
  readonly currency: string;
  readonly currencyDivisor: number;
}
