/** Commands that are denied by name, each with its other names. */
export const DENIED_NAMES: Readonly<Record<string, readonly string[]>> = {
  "Remove-Item": ["ri", "del", "erase", "rd"],
  "Start-Process": ["saps"],
  "New-Service": [],
  "Set-ExecutionPolicy": [],
  "Invoke-WebRequest": ["iwr"],
  "Invoke-RestMethod": ["irm"],
  "curl": [],
  "wget": [],
  "bitsadmin": [],
  "certutil": [],
  "nc": [],
  "ncat": [],
  "telnet": [],
  "ftp": [],
  "tftp": [],
  "scp": [],
  "sftp": [],
  "mkfs*": [],
  "shutdown": [],
  "reboot": [],
};

/** What only PowerShell calls so, and only on some systems. */
export const POWERSHELL_NAMES: Readonly<Record<string, readonly string[]>> = {
  "Start-Process": ["start"],
};

/** What Windows PowerShell and `pwsh` on Windows call `Remove-Item`; elsewhere programs. */
export const WINDOWS_NAMES: Readonly<Record<string, readonly string[]>> = {
  "Remove-Item": ["rm", "rmdir"],
};

/** Flags that are denied together. */
export const DENIED_COMBINATIONS: readonly string[] = ["rm -r -f", "-Recurse -Force"];

/** The rule about writing to devices. */
export const DEVICE_RULE = "dd of=/dev/*";

/** Devices that nothing is lost on. */
export const HARMLESS_DEVICES: ReadonlySet<string> = new Set([
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/tty",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
]);

/** Parts of the names of `.NET` types that reach the network, lower case. */
export const NETWORK_TYPES: readonly string[] = [
  "net.webclient",
  "net.webrequest",
  "net.httpwebrequest",
  "net.ftpwebrequest",
  "net.http.",
  "net.sockets.",
  "net.websockets.",
  "net.mail.",
  "net.networkinformation.ping",
  "net.dns",
  "msxml2.xmlhttp",
  "msxml2.serverxmlhttp",
  "winhttp.winhttprequest",
];
