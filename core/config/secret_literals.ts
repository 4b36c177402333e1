import { Redactor } from "../security/redactor.ts";
import { formatKeyPath } from "./key_path.ts";
import { isTable, type TomlTable } from "./schema_scalars.ts";

const NAME_IT = "put it in an environment variable and name that";

/**
 * Secrets that stand in a file's providers, one sentence each: any `api_key`, and header values,
 * URLs and names of variables that the redactor would mask. Keys are only ever named.
 */
export function secretLiterals(file: TomlTable): string[] {
  const redactor = new Redactor();
  const { providers, provider } = file;
  const entries: [(string | number)[], unknown][] = [
    ...(Array.isArray(providers) ? providers : []).map((entry, index): [
      (string | number)[],
      unknown,
    ] => [["providers", index], entry]),
    [["provider"], provider],
  ];
  return entries.flatMap(([path, entry]) => isTable(entry) ? inEntry(path, entry) : []);

  function inEntry(path: readonly (string | number)[], entry: TomlTable): string[] {
    const at = (...names: string[]) => formatKeyPath([...path, ...names]);
    const found: string[] = [];
    for (const name of Object.keys(entry).filter((name) => /^api[_-]?key$/i.test(name))) {
      found.push(`${at(name)} must not be in a file; ${NAME_IT} with api_key_env`);
    }
    for (const name of ["endpoint", "models_endpoint"]) {
      const url = entry[name];
      // Only these URLs can hold a secret; the redactor costs milliseconds to get ready.
      if (typeof url !== "string" || !/[@?]/.test(url) || redactor.redact(url) === url) continue;
      found.push(`${at(name)} holds a secret; ${NAME_IT} with api_key_env or in a header as $NAME`);
    }
    const variable = entry.api_key_env;
    if (typeof variable === "string" && /[^A-Z_]/.test(variable)) {
      if (redactor.redact(variable) !== variable) {
        found.push(`${at("api_key_env")} holds a key itself; ${NAME_IT} here`);
      }
    }
    for (const [name, value] of Object.entries(isTable(entry.headers) ? entry.headers : {})) {
      if (typeof value !== "string" || !isSecretHeader(name, value)) continue;
      found.push(`${at("headers", name)} holds a secret; ${NAME_IT} here as $NAME`);
    }
    return found;
  }

  function isSecretHeader(name: string, value: string): boolean {
    if (/^\$[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return false;
    const [masked] = Object.values(redactor.redactValue({ [name]: value }));
    const line = `${name}: ${value}`;
    return masked !== value || redactor.redact(line) !== line;
  }
}
