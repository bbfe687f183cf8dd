# Script: writes OUTPUT from TEMPLATE with the commit that is built; touches it only when something changed.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD OUTPUT_VARIABLE COMMIT ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND git -C "${SOURCE}" status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
if(changes)
  set(DIRTY true)
else()
  set(DIRTY false)
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
