; What the app's switch "Start at login" left in the user's registry (app.setLoginItemSettings names the values after the app's id), and
; where Windows keeps that it was switched off. An update keeps both. And what Electron adds at the
; first notification: the class that buttons of notifications call, and its own entry in the Start menu where it found none of the user's.
; https://www.electron.build/nsis#custom-nsis-script
; https://github.com/electron/electron/blob/main/shell/browser/notifications/win/windows_toast_activator.cc
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    DeleteRegKey HKCU "Software\Classes\CLSID\{6E0D9A1C-5B7F-4D5E-9E0B-2F6C1A7D4B83}"
    ReadEnvStr $0 APPDATA
    Delete "$0\Microsoft\Windows\Start Menu\Programs\${SHORTCUT_NAME}.lnk"
  ${endIf}
!macroend
