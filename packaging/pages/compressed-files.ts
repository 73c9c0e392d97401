import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Smaller files are not compressed, because they fit into one network packet. */
const LEAST_BYTES = 1_024;

/**
 * Writes compressed copies of scripts and styles: Brotli for browsers on this machine or over TLS,
 * gzip for all others.
 */
export function compressedFiles(): Plugin {
  return {
    name: "tillgate:compressed-files",
    apply: "build",
    writeBundle({ dir = "" }) {
      const assets = join(dir, "assets");
      for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
        const content = readFileSync(join(assets, name));
        if (content.length >= LEAST_BYTES) {
          writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content));
          writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }));
        }
      }
    },
  };
}
