import { join } from "node:path";
import type { Configuration } from "electron-builder";
import { FUSES } from "./fuses.ts";
import type { Icons } from "./icons.ts";

/** Inputs of electron-builder besides the program. */
export interface Making {
  readonly electronVersion: string;
  /** A folder with Electron's runtime. If undefined, electron-builder downloads it. */
  readonly runtime: string | undefined;
  readonly icons: Icons;
  /** Output folder of the installers. */
  readonly output: string;
  /** A folder of a web server with updates. If undefined, the program looks for none. */
  readonly feed: string | undefined;
  readonly signing: Signing;
  /** The script that runs after the removal of the Debian package. */
  readonly afterRemove: string;
}

/** The systems for which the environment has signing credentials. */
export interface Signing {
  readonly windows: boolean;
  readonly mac: boolean;
  readonly notarised: boolean;
}

/**
 * Returns electron-builder's configuration for the three systems. No target names a processor: electron-builder would
 * also build for it, and the program's folder has native code for one processor only.
 */
export function desktopConfig(making: Making): Configuration {
  const { electronVersion, runtime, icons, output, feed, signing, afterRemove } = making;
  return {
    appId: "app.tillgate.desktop",
    productName: "Tillgate",
    // Each processor's installer has a name of its own: by it a till finds which is for it.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the packer puts the values in
    artifactName: "${productName}-${version}-${os}-${arch}.${ext}",
    copyright: "Copyright © Tillgate's authors, MIT licence",
    electronVersion,
    ...(runtime !== undefined && { electronDist: runtime }),
    directories: { output },
    files: ["**/*"],
    asar: true,
    // Systems load native code only from files outside an archive.
    asarUnpack: ["node_modules/better-sqlite3/prebuilds/**"],
    // better-sqlite3 ships binaries for every target.
    npmRebuild: false,
    electronFuses: FUSES,
    protocols: [{ name: "Tillgate", schemes: ["tillgate"] }],
    publish: feed === undefined ? null : { provider: "generic", url: feed },
    linux: {
      target: ["AppImage", "deb"],
      icon: icons.linux,
      category: "Office",
      executableName: "tillgate",
      maintainer: "Tillgate <maintainers@tillgate.invalid>",
    },
    win: {
      target: ["nsis"],
      icon: icons.windows,
      verifyUpdateCodeSignature: signing.windows,
    },
    // Conflicts with the server's package, which has the same command.
    deb: {
      packageName: "tillgate-desktop",
      fpm: ["--conflicts", "tillgate"],
      afterRemove,
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      deleteAppDataOnUninstall: false,
      include: join(import.meta.dirname, "uninstall.nsh"),
    },
    mac: {
      target: ["dmg", "zip"],
      icon: icons.mac,
      category: "public.app-category.business",
      hardenedRuntime: true,
      notarize: signing.notarised,
      ...(!signing.mac && { identity: null }),
    },
  };
}
