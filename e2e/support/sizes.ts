export interface Size {
  readonly device: string;
  readonly width: number;
  readonly height: number;
  readonly hasTouch: boolean;
}

export const SIZES: readonly Size[] = [
  { device: "a small laptop", width: 1280, height: 800, hasTouch: false },
  { device: "a wide laptop", width: 1366, height: 768, hasTouch: false },
  { device: "a large screen", width: 1920, height: 1080, hasTouch: false },
  { device: "a tablet that lies", width: 1024, height: 768, hasTouch: true },
  { device: "a tablet held upright", width: 820, height: 1180, hasTouch: true },
  { device: "a telephone", width: 390, height: 844, hasTouch: true },
];
