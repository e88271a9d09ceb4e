# SPDX-License-Identifier: Apache-2.0
# The font of labels in pictures (fonts-dejavu-core). It is read at run time from where it was found here.
find_file(DEJAVU_FONT DejaVuSans.ttf REQUIRED
    PATHS /usr/share/fonts /usr/local/share/fonts PATH_SUFFIXES truetype/dejavu dejavu TTF truetype)
