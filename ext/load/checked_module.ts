import type { AstNode } from "./ast_walk.ts";
import { walkAst } from "./ast_walk.ts";
import { loadProblem } from "./load_problem.ts";

const IMPORT = "import";

/**
 * The code of a module with every `import()` turned into a call that rejects, after a look at
 * everything through which code from elsewhere could come.
 *
 * @param ast The syntax tree of `code`.
 * @throws {ExtensionError} `extension_load` for `import.meta`, `import defer`, `import source`,
 *   import attributes, and imports of anything but a relative file.
 */
export function checkedModule(code: string, file: string, ast: AstNode): string {
  const rewritten: number[] = [];
  const at = (node: AstNode) => ({ file, text: code, index: node.start });
  walkAst(ast, (node) => {
    switch (node.type) {
      case "ImportExpression":
        if (node["phase"] !== undefined && node["phase"] !== null) {
          throw loadProblem(at(node), `import.${node["phase"]}() is not supported`);
        }
        rewritten.push(node.start);
        return;
      case "MetaProperty":
        if (code.startsWith("import", node.start)) {
          throw loadProblem(at(node), "import.meta is not supported: an extension has no place");
        }
        return;
      case "ImportDeclaration":
      case "ExportNamedDeclaration":
      case "ExportAllDeclaration":
        checkDeclaration(node, at(node));
        return;
    }
  });
  let result = code;
  for (const start of rewritten.toSorted((a, b) => b - a)) {
    result = `${result.slice(0, start)}rho.import${result.slice(start + IMPORT.length)}`;
  }
  return result;
}

function checkDeclaration(node: AstNode, place: Parameters<typeof loadProblem>[0]): void {
  const { phase, attributes } = node;
  if (phase !== undefined && phase !== null) {
    throw loadProblem(place, `import ${phase} is not supported; use a plain import`);
  }
  if (Array.isArray(attributes) && attributes.length > 0) {
    throw loadProblem(place, "Import attributes are not supported; put the data into a .ts file");
  }
  const source = node["source"];
  if (typeof source !== "object" || source === null || !("value" in source)) return;
  const specifier = String(source.value);
  if (/^\.\.?\//.test(specifier)) return;
  throw loadProblem(
    place,
    `Cannot import "${specifier}": only files of the extension's own folder, as "./name.ts"`,
  );
}
