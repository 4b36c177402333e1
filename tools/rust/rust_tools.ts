import type { Tool } from "../tool.ts";
import { type CargoToolsOptions, createCargoTools } from "./cargo_tools.ts";
import { createCratesIoLookup } from "./crates_io_lookup.ts";
import { RustDocs } from "./rust_docs.ts";
import { createRustcExplain } from "./rustc_explain.ts";
import { createRustdocLookup } from "./rustdoc_lookup.ts";

/** The tools of Rust projects; the consent to run their code lasts as long as these objects. */
export function createRustTools(options: CargoToolsOptions): Tool[] {
  const docs = new RustDocs(options);
  return [
    ...createCargoTools(options),
    createRustcExplain(docs),
    createRustdocLookup(docs),
    createCratesIoLookup(),
  ];
}
