; The setup program for Windows: taking Tillgate away leaves the shop's books, and says where. An update says nothing.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    MessageBox MB_OK|MB_ICONINFORMATION "The shop's data and its backups are still in $LOCALAPPDATA\Tillgate." /SD IDOK
  ${endIf}
!macroend
