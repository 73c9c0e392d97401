import { PNG } from "pngjs";

const [WIDTH, HEIGHT] = [240, 96];

export function drawLogo(name: string) {
  const picture = new PNG({ width: WIDTH, height: HEIGHT });
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isDisc = Math.hypot(x - HEIGHT / 2, y - HEIGHT / 2) < HEIGHT / 2 - 4;
      const isBar = x > HEIGHT + 8 && x < WIDTH - 8 && y > 36 && y < 60;
      const shade = isDisc || isBar ? 20 : 255;
      picture.data.set([shade, shade, isDisc ? 140 : shade, 255], 4 * (y * WIDTH + x));
    }
  }
  return { name, mimeType: "image/png", buffer: PNG.sync.write(picture) };
}
