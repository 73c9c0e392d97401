import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const require = createRequire(import.meta.url);
const MANIFEST = require.resolve("country-flag-icons/package.json");
const PICTURES = join(dirname(MANIFEST), "3x2");
const { version } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };

/** Folder of the flags. Its name contains a version, so that changed pictures get new URLs. */
const PLACE = `assets/flags-${version}`;

export function flagPictures(): Plugin {
  return {
    name: "tillgate:flag-pictures",
    config: () => ({ define: { "import.meta.env.TILLGATE_FLAGS": JSON.stringify(`/${PLACE}`) } }),
    generateBundle() {
      for (const file of listPictures()) {
        const originalFileName = join(PICTURES, file);
        this.emitFile({
          type: "asset",
          fileName: `${PLACE}/${file}`,
          originalFileName,
          source: readFileSync(originalFileName),
        });
      }
    },
    configureServer(server) {
      server.middlewares.use(`/${PLACE}`, ({ url = "" }, response, next) => {
        const file = listPictures().find((name) => url === `/${name}`);
        if (!file) return next();
        response.setHeader("content-type", "image/svg+xml");
        response.end(readFileSync(join(PICTURES, file)));
      });
    },
  };
}

function listPictures(): string[] {
  return readdirSync(PICTURES).filter((name) => name.endsWith(".svg"));
}
