/** Marks by which models write tool calls as text when their server does not parse them. */
const LEAK_REGEXP =
  /<tool_call>|<\|tool_call|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<｜tool▁call|<invoke name=/;

/** Whether a text holds a tool call as markup. It is never run: a text may also quote one. */
export function hasLeakedCall(text: string): boolean {
  return LEAK_REGEXP.test(text);
}
