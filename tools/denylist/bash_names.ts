/** Folders that are where they are; a command in one of them is known by its name. */
export const FOLDERS: ReadonlySet<string> = new Set([
  "HOME",
  "PWD",
  "OLDPWD",
  "CARGO_HOME",
  "GOPATH",
  "GOROOT",
  "JAVA_HOME",
  "NVM_DIR",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
]);

/** Variables whose value other programs run. */
export const SCRIPT_VARIABLES: ReadonlySet<string> = new Set([
  "BASH_ENV",
  "EDITOR",
  "GIT_ASKPASS",
  "GIT_EDITOR",
  "GIT_EXTERNAL_DIFF",
  "GIT_PAGER",
  "GIT_SEQUENCE_EDITOR",
  "GIT_SSH_COMMAND",
  "MANPAGER",
  "PAGER",
  "PROMPT_COMMAND",
  "VISUAL",
]);
