/** A node of an ESTree syntax tree. */
export interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Visits a node and everything below it. */
export function walkAst(root: AstNode, visit: (node: AstNode) => void): void {
  const open: AstNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) open.push(child);
      }
    }
  }
}

function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string" && "start" in value;
}
