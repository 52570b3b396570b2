# Puts dpdesigner into the Start menu of this user, opens .dpd files with it, and adds its folder to PATH, where the command line is
# dpdesigner-console. The program stays in this folder. uninstall.ps1 undoes all of it.
$ErrorActionPreference = "Stop"
$program = Join-Path $PSScriptRoot "dpdesigner.exe"
$classes = "HKCU:\Software\Classes"

New-Item -Force "$classes\dpdesigner.project\shell\open\command" | Out-Null
Set-Item "$classes\dpdesigner.project" "dpdesigner project"
New-Item -Force "$classes\dpdesigner.project\DefaultIcon" | Out-Null
Set-Item "$classes\dpdesigner.project\DefaultIcon" "`"$program`",0"
Set-Item "$classes\dpdesigner.project\shell\open\command" "`"$program`" `"%1`""
New-Item -Force "$classes\.dpd\OpenWithProgids" | Out-Null
New-ItemProperty -Force "$classes\.dpd\OpenWithProgids" -Name "dpdesigner.project" -Value "" | Out-Null

$menu = Join-Path ([Environment]::GetFolderPath("Programs")) "dpdesigner.lnk"
$link = (New-Object -ComObject WScript.Shell).CreateShortcut($menu)
$link.TargetPath = $program
$link.Save()

$folders = @([Environment]::GetEnvironmentVariable("Path", "User") -split ";" | Where-Object { $_ })
if ($folders -notcontains $PSScriptRoot) {
  [Environment]::SetEnvironmentVariable("Path", (($folders + $PSScriptRoot) -join ";"), "User")
}
Write-Output "dpdesigner is in the Start menu now, and as dpdesigner-console in new terminals."
