import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin, ProxyOptions } from "vite";
import { compressedFiles } from "./packaging/pages/compressed-files.ts";
import { flagPictures } from "./packaging/pages/flag-pictures.ts";
import { withoutSchemas } from "./packaging/pages/without-schemas.ts";
import { libraryOf } from "./packaging/shipped-libraries.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

const gateway = `http://127.0.0.1:${process.env.TILLGATE_PORT || "8787"}`;
const toGateway: ProxyOptions = { target: gateway };

/**
 * Makes asset paths absolute, because the gateway serves the till's pages at any route.
 * electron-vite makes them relative, for pages loaded from files.
 */
function assetsFromRoot(): Plugin {
  return { name: "tillgate:assets-from-root", config: () => ({ base: "/" }) };
}

function librariesOfPages(): Plugin {
  return {
    name: "tillgate:libraries-of-pages",
    apply: "build",
    writeBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === "chunk" ? part.moduleIds : part.originalFileNames,
      );
      const names = new Set(modules.flatMap((id) => libraryOf(id) ?? []));
      writeFileSync(join(root, "out/page-libraries.json"), JSON.stringify([...names].toSorted()));
    },
  };
}

/**
 * Each group of libraries has its own file, which changes only with a library's version, so that
 * updates are small.
 */
const firstScripts = {
  react: /node_modules\/(react|react-dom|scheduler)\//,
  mantine: /node_modules\/(@mantine|@floating-ui|react-remove-scroll|react-textarea-autosize)\//,
  tanstack: /node_modules\/@tanstack\//,
  phone: /node_modules\/libphonenumber-js\//,
  // The remaining code of the first screen is one file, because many small files are larger in
  // total.
  first: /./,
};

/** The counter with all that it imports is one file, so that the page opens with few requests. */
const counterScripts = { name: "counter", test: /counter-screen\.tsx$/ };

export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: {
          main: join(root, "electron/main.ts"),
          // The gateway starts this thread from a file in the folder of its own bundle.
          "background-thread": join(root, "server/background/background-thread.ts"),
        },
        output: { chunkFileNames: "[name]-[hash].js" },
        // A program run from its sources loads contracts late. The bundle has them in one file.
        checks: { ineffectiveDynamicImport: false },
      },
    },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { preload: join(root, "electron/preload/preload.ts") },
        // Electron loads a sandboxed preload as one CommonJS file.
        output: { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
      },
    },
  },
  renderer: {
    root: join(root, "renderer"),
    plugins: [
      react(),
      withoutSchemas(),
      flagPictures(),
      assetsFromRoot(),
      librariesOfPages(),
      compressedFiles(),
    ],
    server: {
      host: "127.0.0.1",
      port: 5173,
      proxy: { "/pos": toGateway, "/v1": toGateway, "/docs": toGateway },
    },
    build: {
      minify: true,
      rolldownOptions: {
        input: join(root, "renderer/index.html"),
        treeshake: {
          manualPureFunctions: ["Type", "Input", "Paged", "Name"],
          propertyReadSideEffects: false,
        },
        output: {
          codeSplitting: {
            groups: [
              ...Object.entries(firstScripts).map(([name, test]) => ({
                name,
                test,
                tags: ["$initial"] as "$initial"[],
              })),
              counterScripts,
            ],
          },
        },
      },
    },
  },
});
