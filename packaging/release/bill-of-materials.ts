import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import type { Library } from "../shipped-libraries.ts";

/**
 * Returns the bill of materials as CycloneDX 1.6 JSON. The same libraries always result in the same
 * bytes.
 */
export function writeBillOfMaterials(version: string, libraries: readonly Library[]): string {
  const program = new Models.Component(Enums.ComponentType.Application, "tillgate", { version });
  program.licenses.add(new Models.SpdxLicense("MIT"));
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: program }) });
  for (const { name, version: its, license } of libraries) {
    const component = new Models.Component(Enums.ComponentType.Library, name, {
      version: its,
      bomRef: `${name}@${its}`,
      purl: `pkg:npm/${name.replace("@", "%40")}@${its}`,
    });
    component.licenses.add(
      / (AND|OR) /.test(license)
        ? new Models.LicenseExpression(license)
        : new Models.SpdxLicense(license),
    );
    bom.components.add(component);
  }
  const json = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(json).serialize(bom, { sortLists: true, space: 2 });
}
