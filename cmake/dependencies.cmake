# SPDX-License-Identifier: Apache-2.0
# Every dependency is a Debian 12 package; docs/architecture.md says why each is here. `./dev setup` installs them.
# The system's copies are meant, not those of a Python or Conda environment that happens to be on the path.
set(CMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH FALSE)

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt 9 REQUIRED)
find_package(tomlplusplus 3 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(tinyobjloader REQUIRED)
include(FindHdf5Library)
include(FindMetis)
include(FindOpenVDBLibrary)
find_package(PNG REQUIRED)
find_package(Freetype REQUIRED)
include(FindEmbreeLibrary)
include(FindDejaVuFont)
