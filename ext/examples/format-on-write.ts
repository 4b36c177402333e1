/// <reference path="../types/rho.d.ts" />

const FORMATTERS: Record<string, string[]> = {
  rs: ["rustfmt"],
  go: ["gofmt", "-w"],
  ts: ["deno", "fmt", "-q"],
  py: ["ruff", "format", "-q"],
};
const paths = new Map<string, string>();

/** Formats a file after the model has written or edited it, and says so in the result. */
export default {
  name: "format-on-write",
  version: "1.0.0",
  hooks: {
    onToolCall(payload: string) {
      const { toolName, args, callId } = JSON.parse(payload);
      if (toolName === "write_file" || toolName === "edit_file") {
        paths.set(callId, JSON.parse(args).path);
      }
    },
    onToolResult(payload: string) {
      const { output, isError, callId } = JSON.parse(payload);
      const path = paths.get(callId);
      paths.delete(callId);
      if (path === undefined || isError) return;
      const own: Record<string, string[]> = rho.getConfig().formatters ?? {};
      const command = { ...FORMATTERS, ...own }[path.split(".").pop() ?? ""];
      if (command === undefined) return;
      try {
        const { exitCode, stderr } = rho.runCommand(command[0] ?? "", [...command.slice(1), path]);
        const said = exitCode === 0 ? "Formatted; read it again before you edit it." : stderr;
        return { output: `${output}\n${said}` };
      } catch (error) {
        rho.log("warn", `Cannot format ${path}: ${error}`);
      }
    },
  },
} satisfies ExtensionManifest;
