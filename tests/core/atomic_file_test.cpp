// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/atomic_file.h"

#include "tests/support/error_of.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

#include <sys/stat.h>

using namespace tulle;
using namespace tulle::test;
namespace fs = std::filesystem;

TEST_CASE("A file appears only when it is committed, and whole") {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", "old");
    const std::string piece(100'000, 'x');
    {
        AtomicFile file(folder / "a.txt");
        for (int i = 0; i < 30; ++i) file.write(piece);
        CHECK(read_file(folder / "a.txt", 100) == "old");
        file.commit();
    }
    CHECK(fs::file_size(folder / "a.txt") == 3'000'000);
    CHECK(folder.names() == std::vector<std::string>{"a.txt"});
}

TEST_CASE("A file that is dropped leaves no trace") {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", "old");
    { AtomicFile(folder / "a.txt").write("new"); }
    { AtomicFile(folder / "b.txt").write("new"); }
    CHECK(read_file(folder / "a.txt", 100) == "old");
    CHECK(folder.names() == std::vector<std::string>{"a.txt"});
}

TEST_CASE("A written file has the permissions the user's mask gives") {
    const TemporaryFolder folder;
    const mode_t mask = ::umask(022);
    write_file(folder / "a.txt", "text");
    ::umask(mask);
    CHECK((fs::status(folder / "a.txt").permissions() & fs::perms::all) == fs::perms{0644});
}

TEST_CASE("Targets that are folders, devices or in no folder are refused") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "sub");
    for (const fs::path& target :
         {folder / "sub", folder / "none/a.txt", fs::path("/dev/null"), fs::path("/proc/a.txt")})
        error_naming(target.filename().string(), [&] { write_file(target, "text"); });
    CHECK_THROWS_AS(write_file("", "text"), Error);
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(folder.names() == std::vector<std::string>{"sub"});
}

TEST_CASE("A full disk leaves nothing under the name and nothing beside it") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "disk");
    const std::string disk = (folder / "disk").string();
    if (run("mount -t tmpfs -o size=64k tmpfs '" + disk + "'").exit_code != 0) {
        MESSAGE("needs root to mount a small disk");
        return;
    }
    const std::string message =
        error_naming("a.txt", [&] { write_file(folder / "disk/a.txt", std::string(1 << 20, 'x')); });
    CHECK(contains(message, "No space left"));
    CHECK(fs::is_empty(folder / "disk"));
    CHECK(run("umount '" + disk + "'").exit_code == 0);
}

TEST_CASE("A folder appears only when it is committed") {
    const TemporaryFolder folder;
    {
        AtomicFolder dropped(folder / "a");
        write_file(dropped.path() / "x", "1");
    }
    CHECK(folder.names().empty());
    AtomicFolder kept((folder / "a").string() + "/");
    write_file(kept.path() / "x", "1");
    kept.commit();
    CHECK(folder.names() == std::vector<std::string>{"a"});
    CHECK(fs::exists(folder / "a/x"));
    CHECK(contains(error_naming("a", [&] { AtomicFolder(folder / "a"); }), "the name is taken"));
    fs::create_directory(folder / "empty");
    AtomicFolder(folder / "empty").commit();
}
