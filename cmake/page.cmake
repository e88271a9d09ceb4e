# SPDX-License-Identifier: Apache-2.0
# The built page of `tulle view` is installed with the program. `./dev page` builds it, which needs Node; without it the
# program is complete but for that command, which says how to get the page.
set(TULLE_PAGE ${PROJECT_SOURCE_DIR}/apps/viewer/dist)
install(DIRECTORY ${TULLE_PAGE}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tulle/page OPTIONAL)
