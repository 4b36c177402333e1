import { deepEqual, equal, notEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  formatPath,
  isInside,
  newNameProblem,
  pathProblem,
  resolveDots,
  splitPath,
} from "../../../core/security/path_rules.ts";

const POSIX = { windows: false };
const WINDOWS = { windows: true };

const WINDOWS_REFUSED = [
  "C:foo",
  "c:",
  "\\foo",
  "/foo",
  "\\\\server\\share\\x",
  "//server/share/x",
  "\\\\?\\C:\\work\\a",
  "//?/C:/work/a",
  "\\\\.\\pipe\\x",
  "\\\\?\\UNC\\server\\share",
  "\\??\\C:\\a",
  "CON",
  "nul",
  "src\\NUL.txt",
  "COM1",
  "com1.log",
  "LPT\u00b9",
  "aux .txt",
  "CONIN$",
  "a.txt:stream",
  "a.txt::$DATA",
  ".git::$INDEX_ALLOCATION\\config",
  "C:\\work\\a.txt:x",
  "a.",
  "a ",
  "src.\\a",
  ".git.\\config",
  "...",
  "a<b",
  "a|b",
  'a"b',
  "a?",
  "a*",
  "a\u0001",
  "a\0b",
  "",
];

Deno.test("pathProblem() refuses Windows forms that mean something else than they show", () => {
  for (const path of WINDOWS_REFUSED) notEqual(pathProblem(path, WINDOWS), undefined, path);
});

Deno.test("B91 pathProblem() accepts ordinary Windows paths", () => {
  for (
    const path of [
      "C:\\users\\unicorn\\a",
      "c:/users/a",
      "src\\a.ts",
      "src/a.ts",
      ".\\a\\..\\b",
      "..",
      ".gitignore",
      "console.log",
      "nullable.ts",
      "com10",
      "auxiliary",
      "PROGRA~1",
      "grün und blau.txt",
    ]
  ) equal(pathProblem(path, WINDOWS), undefined, path);
});

Deno.test("pathProblem() accepts a network path below a root on the same share", () => {
  const options = { windows: true, root: "\\\\server\\share\\work" };
  equal(pathProblem("\\\\SERVER\\share\\work\\a", options), undefined);
  equal(pathProblem("//server/share/work/a", options), undefined);
  notEqual(pathProblem("\\\\server\\share\\other", options), undefined);
  notEqual(pathProblem("\\\\server\\share\\work2", options), undefined);
});

Deno.test("pathProblem() refuses only NUL, emptiness and excess elsewhere", () => {
  for (const path of ["", "a\0", "x".repeat(5000)]) notEqual(pathProblem(path, POSIX), undefined);
  for (const path of ["C:foo", "a:b", "NUL", "a.", "\\\\x", "~"]) {
    equal(pathProblem(path, POSIX), undefined, path);
  }
});

Deno.test("newNameProblem() refuses names that would turn into other ones", () => {
  for (const name of ["a.", "a ", "..", ".", "...", "a\nb", "a\u007f"]) {
    notEqual(newNameProblem(name, POSIX), undefined, JSON.stringify(name));
    notEqual(newNameProblem(name, WINDOWS), undefined, JSON.stringify(name));
  }
  for (const name of ["GIT~1", "PROGRA~1.TXT", "NUL", "a:b"]) {
    equal(newNameProblem(name, POSIX), undefined, name);
    notEqual(newNameProblem(name, WINDOWS), undefined, name);
  }
  for (const name of ["a", ".env", "a b", "ä", "..a", "a..b", "weird name with ~1 in it"]) {
    equal(newNameProblem(name, POSIX), undefined, name);
    equal(newNameProblem(name, WINDOWS), undefined, name);
  }
});

Deno.test("isInside() compares whole names, without case on Windows only", () => {
  equal(isInside("/work/main", "/work/main", POSIX), true);
  equal(isInside("/work/main", "/work/main/a", POSIX), true);
  equal(isInside("/work/main", "/work/main2", POSIX), false);
  equal(isInside("/work/main", "/work/Main/a", POSIX), false);
  equal(isInside("/", "/a", POSIX), true);
  equal(isInside("C:\\Work", "c:\\work\\a", WINDOWS), true);
  equal(isInside("C:\\Work", "D:\\work\\a", WINDOWS), false);
  equal(isInside("C:\\Work", "C:\\Workshop", WINDOWS), false);
  equal(isInside("\\\\s\\x\\", "\\\\S\\X\\a", WINDOWS), true);
});

Deno.test("splitPath() and formatPath() keep the meaning of Windows paths", () => {
  deepEqual(splitPath("C:/a//b\\c", WINDOWS), { prefix: "C:\\", names: ["a", "b", "c"] });
  deepEqual(splitPath("\\\\s\\x\\a", WINDOWS), { prefix: "\\\\s\\x\\", names: ["a"] });
  deepEqual(splitPath("a/b", WINDOWS), { prefix: "", names: ["a", "b"] });
  equal(formatPath(splitPath("C:/a/b", WINDOWS), WINDOWS), "C:\\a\\b");
});

Deno.test("resolveDots() leaves no dots and never climbs above the start", () => {
  deepEqual(resolveDots(["a", "..", "..", "b", ".", "c"]), ["b", "c"]);
  fc.assert(fc.property(fc.array(fc.constantFrom("a", "b", "..", ".")), (names) => {
    const resolved = resolveDots(names);
    equal(resolved.includes("..") || resolved.includes("."), false);
  }));
});
