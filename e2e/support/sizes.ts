/** The windows that a till is used in. */
export interface Size {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Worked with a finger and nothing else. */
  readonly hasTouch: boolean;
}

export const SIZES: readonly Size[] = [
  { name: "a small laptop", width: 1280, height: 800, hasTouch: false },
  { name: "a wide laptop", width: 1366, height: 768, hasTouch: false },
  { name: "a large screen", width: 1920, height: 1080, hasTouch: false },
  { name: "a tablet that lies", width: 1024, height: 768, hasTouch: true },
  { name: "a tablet held upright", width: 820, height: 1180, hasTouch: true },
  { name: "a telephone", width: 390, height: 844, hasTouch: true },
];
