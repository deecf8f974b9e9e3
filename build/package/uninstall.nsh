; What the app's switch "Start at login" left in the user's registry (app.setLoginItemSettings names the values after the app's id), and
; where Windows keeps that it was switched off. An update keeps both. https://www.electron.build/nsis#custom-nsis-script
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${endIf}
!macroend
