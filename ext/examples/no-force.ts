/// <reference path="../types/rho.d.ts" />

/** Blocks forced pushes before anybody is asked about them. */
export default {
  name: "no-force",
  version: "1.0.0",
  hooks: {
    onToolCall(payload: string) {
      const { toolName, args } = JSON.parse(payload);
      if (toolName !== "run_command") return;
      const { command } = JSON.parse(args);
      if (/\bgit\b.*\bpush\b.*(--force\b|\s-f\b)/.test(command)) {
        return { action: "block", reason: "forced pushes are not allowed here" };
      }
    },
  },
} satisfies ExtensionManifest;
