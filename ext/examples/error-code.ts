/// <reference path="../types/rho.d.ts" />

/** Looks up a Rust compiler error code, such as E0502. */
export default {
  name: "error-code",
  version: "1.0.0",
  tools: [{
    name: "rust_error_code",
    description: 'Explains a Rust compiler error. Example: {"code": "E0502"}',
    risk: "read",
    parameters: { code: { type: "string", description: "Such as E0502", required: true } },
    async executeJson({ code }: { code: string }) {
      if (!/^E\d{4}$/.test(code)) return { output: `"${code}" is no error code`, isError: true };
      const base = rho.getConfig().base ??
        "https://raw.githubusercontent.com/rust-lang/rust/master";
      const url = `${base}/compiler/rustc_error_codes/src/error_codes/${code}.md`;
      const reply = await fetch(url);
      if (!reply.ok) return { output: `There is no text for ${code}`, isError: true };
      return rho.truncate(await reply.text(), 8_000);
    },
  }],
} satisfies ExtensionManifest;
