/// <reference path="../../types/rho.d.ts" />
import { exportedItems } from "./exported_items.ts";

/** Lists the documented public items of the project's Rust files. */
export default {
  name: "rust-docs",
  version: "1.0.0",
  tools: [{
    name: "rust_public_items",
    description: "Lists public Rust items with the first line of their documentation",
    risk: "read",
    parameters: { glob: { type: "string", description: "Files", default: "src/**/*.rs" } },
    executeJson({ glob }: { glob: string }) {
      const lines = rho.listFiles(glob).flatMap((path) =>
        exportedItems(rho.readFile(path)).map((item) => `${path}: ${item}`)
      );
      return lines.length === 0 ? `No public items in ${glob}` : lines.join("\n");
    },
  }],
} satisfies ExtensionManifest;
