/** The text of a new extension, ready to be loaded. */
export function starterSource(name: string): string {
  return `/// <reference path="../types/rho.d.ts" />

export default {
  name: ${JSON.stringify(name)},
  version: "1.0.0",
  tools: [{
    name: ${JSON.stringify(`${name.replaceAll("-", "_")}_greet`)},
    description: "Greets someone. Say here when the model should use it.",
    risk: "read",
    parameters: { who: { type: "string", description: "A name", required: true } },
    executeJson({ who }: { who: string }) {
      return \`Hello, \${who}!\`;
    },
  }],
} satisfies ExtensionManifest;
`;
}
