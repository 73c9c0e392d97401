import { join } from "node:path";
import type { Configuration } from "electron-builder";
import { FUSES } from "./fuses.ts";
import type { Icons } from "./icons.ts";

export interface Making {
  readonly electronVersion: string;
  /** If undefined, electron-builder downloads Electron's runtime. */
  readonly runtime: string | undefined;
  readonly icons: Icons;
  readonly output: string;
  readonly feed: string | undefined;
  readonly signing: Signing;
  readonly afterRemove: string;
}

export interface Signing {
  readonly windows: boolean;
  readonly mac: boolean;
  readonly notarised: boolean;
}

/**
 * The targets must not name a processor: electron-builder would also build for it, but the
 * program's folder has native code for only one.
 */
export function desktopConfig(making: Making): Configuration {
  const { electronVersion, runtime, icons, output, feed, signing, afterRemove } = making;
  return {
    appId: "app.tillgate.desktop",
    productName: "Tillgate",
    // A till finds the installer for its processor by this name.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the packer puts the values in
    artifactName: "${productName}-${version}-${os}-${arch}.${ext}",
    copyright: "Copyright © Tillgate's authors, MIT licence",
    electronVersion,
    ...(runtime !== undefined && { electronDist: runtime }),
    directories: { output },
    files: ["**/*"],
    asar: true,
    // Operating systems load native code only from files outside an archive.
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
    // Both packages contain a command `tillgate`, so they cannot be installed together.
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
