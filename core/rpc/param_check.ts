import * as v from "valibot";
import type { RpcParams } from "./method_table.ts";
import { RpcError, type RpcIssue } from "./rpc_error.ts";
import { METHOD_SCHEMAS, type MethodSchema } from "./schema/method_schemas.ts";

const SCHEMAS: ReadonlyMap<string, MethodSchema> = new Map(Object.entries(METHOD_SCHEMAS));

/**
 * Params by name, checked against the method's schema. An array is read in the order of the
 * schema; members that the schema does not know are left out.
 *
 * @throws {RpcError} "invalid params" with one issue a path.
 */
export function checkParams(method: string, params: RpcParams | readonly unknown[]): RpcParams {
  const schema = SCHEMAS.get(method)?.params;
  if (schema === undefined) return {};
  const checked = v.safeParse(schema, byName(params, Object.keys(schema.entries)));
  if (checked.success) return checked.output;
  const issues = checked.issues.map(toIssue);
  const text = issues.map((issue) => issue.message).join("; ");
  throw RpcError.invalidParams(`Cannot run "${method}": ${text}`, issues);
}

function byName(params: RpcParams | readonly unknown[], names: readonly string[]): unknown {
  if (!isList(params)) return params;
  const named = new Map<string, unknown>();
  names.forEach((name, index) => {
    // A gap in a positional list is a parameter that was left out.
    if (params[index] !== undefined && params[index] !== null) named.set(name, params[index]);
  });
  return Object.fromEntries(named);
}

function isList(params: RpcParams | readonly unknown[]): params is readonly unknown[] {
  return Array.isArray(params);
}

function toIssue(issue: v.BaseIssue<unknown>): RpcIssue {
  const path = v.getDotPath(issue) ?? "";
  const expected = issue.expected ?? issue.requirement?.toString() ?? "another value";
  const wanted = issue.type === "check" ? issue.message : expected;
  const where = path === "" ? "params" : `"${path}"`;
  return { path, expected: wanted, message: `${where} must be ${wanted}, not ${issue.received}` };
}
