import { headUnits } from "../../core/base/text.ts";

type Facts = Readonly<Record<string, unknown>>;

const MAX_VERSIONS = 8;
const MAX_FEATURES = 60;
const MAX_TEXT_UNITS = 400;

/** One crate as a model reads it: what to write into `Cargo.toml`, and what to know before. */
export function crateText(answer: Facts): string {
  const crate = facts(answer["crate"]);
  const versions = list(answer["versions"]);
  const stable = text(crate["max_stable_version"]) || text(crate["max_version"]);
  const newest = versions.find((version) => text(version["num"]) === stable) ?? versions[0] ?? {};
  const lines = [
    `${text(crate["name"])} ${stable}`,
    text(crate["description"]),
    line("license", newest["license"]),
    line("rust version", newest["rust_version"]),
    line("edition", newest["edition"]),
    line("downloads", downloads(crate)),
    line("updated", day(crate["updated_at"])),
    line("repository", crate["repository"]),
    line("documentation", crate["documentation"] ?? `https://docs.rs/${text(crate["name"])}`),
    line("features", features(newest["features"])),
    line("versions", versions.slice(0, MAX_VERSIONS).map(versionText).join(", ")),
  ];
  return lines.filter((entry) => entry !== "").join("\n");
}

/** Search results, one crate a line with its description below. */
export function searchText(answer: Facts): string {
  return list(answer["crates"]).map((crate) => {
    const version = text(crate["max_stable_version"]) || text(crate["max_version"]);
    const head = `${text(crate["name"])} ${version}, ${downloads(crate)} downloads, updated ` +
      day(crate["updated_at"]);
    return `${head}\n  ${text(crate["description"])}`;
  }).join("\n");
}

/** How many crates a search found in all. */
export function totalFound(answer: Facts): number {
  const total = facts(answer["meta"])["total"];
  return typeof total === "number" ? total : list(answer["crates"]).length;
}

function versionText(version: Facts): string {
  const yanked = version["yanked"] === true ? ", yanked" : "";
  return `${text(version["num"])} (${day(version["created_at"])}${yanked})`;
}

function features(value: unknown): string {
  const map = facts(value);
  const names = Object.keys(map).filter((name) => name !== "default").sort();
  const shown = names.slice(0, MAX_FEATURES).map((name) => headUnits(name, 60)).join(", ");
  const defaults = Array.isArray(map["default"])
    ? map["default"].filter((name) => typeof name === "string").slice(0, MAX_FEATURES)
    : [];
  const more = names.length > MAX_FEATURES ? ", …" : "";
  if (defaults.length === 0) return shown + more;
  return `${shown}${more}${shown === "" ? "" : "; "}default: ${defaults.join(", ")}`;
}

function downloads(crate: Facts): string {
  const total = crate["downloads"];
  const recent = crate["recent_downloads"];
  if (typeof total !== "number") return "";
  const all = total.toLocaleString("en-US");
  return typeof recent === "number" ? `${all} (${recent.toLocaleString("en-US")} in 90 days)` : all;
}

function line(name: string, value: unknown): string {
  const shown = text(value);
  return shown === "" ? "" : `${name}: ${shown}`;
}

function day(value: unknown): string {
  return text(value).slice(0, 10);
}

function text(value: unknown): string {
  if (typeof value !== "string") return "";
  return headUnits(value.replace(/\s+/g, () => " ").trim(), MAX_TEXT_UNITS);
}

function facts(value: unknown): Facts {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function list(value: unknown): Facts[] {
  return Array.isArray(value) ? value.map(facts) : [];
}
