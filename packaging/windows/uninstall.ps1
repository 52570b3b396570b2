# Undoes install.ps1: takes dpdesigner out of the Start menu, the file types and PATH of this user. Designs and this folder stay.
$ErrorActionPreference = "Stop"
$classes = "HKCU:\Software\Classes"

if (Test-Path "$classes\dpdesigner.project") { Remove-Item -Recurse "$classes\dpdesigner.project" }
$types = "$classes\.dpd\OpenWithProgids"
if (Test-Path $types) {
  Remove-ItemProperty $types -Name "dpdesigner.project" -ErrorAction SilentlyContinue
  if (-not (Get-Item $types).Property) { Remove-Item $types }
  if (-not (Get-ChildItem "$classes\.dpd") -and -not (Get-Item "$classes\.dpd").Property) { Remove-Item "$classes\.dpd" }
}

$menu = Join-Path ([Environment]::GetFolderPath("Programs")) "dpdesigner.lnk"
if (Test-Path $menu) { Remove-Item $menu }

$folders = @([Environment]::GetEnvironmentVariable("Path", "User") -split ";" | Where-Object { $_ -and $_ -ne $PSScriptRoot })
[Environment]::SetEnvironmentVariable("Path", ($folders -join ";"), "User")
Write-Output "dpdesigner is no longer in the Start menu; its folder may be deleted."
