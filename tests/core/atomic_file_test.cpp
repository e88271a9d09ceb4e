// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/atomic_file.h"

#include "tests/support/error_of.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

#include <sys/stat.h>

using namespace tulle;
using namespace tulle::test;
namespace fs = std::filesystem;

namespace {

constexpr FileFormat any{"a file", ""};
constexpr FileFormat letter{"a letter", "Dear "};

void put(const fs::path& path, const std::string& text) { write_file(path, text, any); }

}  // namespace

TEST_CASE("A file appears only when it is committed, and whole") {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", "old", any);
    const std::string piece(100'000, 'x');
    {
        AtomicFile file(folder / "a.txt", any);
        for (int i = 0; i < 30; ++i) file.write(piece);
        CHECK(read_file(folder / "a.txt", 100) == "old");
        file.commit();
    }
    CHECK(fs::file_size(folder / "a.txt") == 3'000'000);
    CHECK(folder.names() == std::vector<std::string>{"a.txt"});
}

TEST_CASE("A file that is dropped leaves no trace") {
    const TemporaryFolder folder;
    write_file(folder / "a.txt", "old", any);
    { AtomicFile(folder / "a.txt", any).write("new"); }
    { AtomicFile(folder / "b.txt", any).write("new"); }
    CHECK(read_file(folder / "a.txt", 100) == "old");
    CHECK(folder.names() == std::vector<std::string>{"a.txt"});
}

TEST_CASE("A written file has the permissions the user's mask gives") {
    const TemporaryFolder folder;
    const mode_t mask = ::umask(022);
    write_file(folder / "a.txt", "text", any);
    ::umask(mask);
    CHECK((fs::status(folder / "a.txt").permissions() & fs::perms::all) == fs::perms{0644});
}

TEST_CASE("Targets that are folders, devices or inside of files are refused") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "sub");
    put(folder / "file", "text");
    for (const fs::path& target :
         {folder / "sub", folder / "file/a.txt", fs::path("/dev/null"), fs::path("/proc/a.txt")})
        error_naming(target.filename().string(), [&] { write_file(target, "text", any); });
    CHECK_THROWS_AS(write_file("", "text", any), Error);
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(folder.names() == std::vector<std::string>{"file", "sub"});
}

TEST_CASE("The folder of a target is made") {
    const TemporaryFolder folder;
    put(folder / "a/b/c.txt", "text");
    CHECK(read_file(folder / "a/b/c.txt", 100) == "text");
    AtomicFolder(folder / "d/e").commit();
    CHECK(fs::is_directory(folder / "d/e"));
}

TEST_CASE("Only a file of the same format is replaced, or an empty one, also through links") {
    const TemporaryFolder folder;
    put(folder / "letter", "Dear Ada");
    put(folder / "empty", "");
    put(folder / "list", "1. milk");
    put(folder / "short", "Dear");
    fs::create_symlink(folder / "list", folder / "link");
    fs::create_hard_link(folder / "list", folder / "twin");
    fs::create_symlink(folder / "nowhere", folder / "dangling");
    for (const char* name : {"letter", "empty", "new", "dangling"})
        CHECK_NOTHROW(write_file(folder / name, "Dear Bob", letter));
    for (const char* name : {"list", "short", "link", "twin"}) {
        const std::string message = error_naming(name, [&] { write_file(folder / name, "Dear Bob", letter); });
        CHECK(contains(message, "is not a letter"));
    }
    CHECK(read_file(folder / "letter", 100) == "Dear Bob");
    CHECK(read_file(folder / "list", 100) == "1. milk");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK_FALSE(fs::is_symlink(folder / "dangling"));  // the name is what was asked for, not what it points to
    CHECK_FALSE(fs::exists(folder / "nowhere"));
}

TEST_CASE("A format may be known by bytes further on") {
    const TemporaryFolder folder;
    constexpr FileFormat film{"a film", "ftyp", 4};
    put(folder / "film", "1234ftyp");
    put(folder / "other", "ftyp1234");
    CHECK_NOTHROW(write_file(folder / "film", "5678ftyp", film));
    CHECK_THROWS_AS(write_file(folder / "other", "5678ftyp", film), Error);
}

TEST_CASE("A folder is replaced only if everything in it is of the format") {
    const TemporaryFolder folder;
    put(folder / "a/1", "Dear Ada");
    AtomicFolder(folder / "a", letter).commit();
    CHECK(fs::is_empty(folder / "a"));
    put(folder / "a/1", "Dear Ada");
    put(folder / "a/2", "1. milk");
    CHECK(contains(error_naming("a", [&] { AtomicFolder(folder / "a", letter); }), "a letter"));
    fs::remove(folder / "a/2");
    fs::create_symlink(folder / "a/1", folder / "a/2");
    CHECK_THROWS_AS(AtomicFolder(folder / "a", letter), Error);
    CHECK(read_file(folder / "a/1", 100) == "Dear Ada");
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
        error_naming("a.txt", [&] { write_file(folder / "disk/a.txt", std::string(1 << 20, 'x'), any); });
    CHECK(contains(message, "No space left"));
    CHECK(fs::is_empty(folder / "disk"));
    CHECK(run("umount '" + disk + "'").exit_code == 0);
}

TEST_CASE("A folder appears only when it is committed") {
    const TemporaryFolder folder;
    {
        AtomicFolder dropped(folder / "a");
        write_file(dropped.path() / "x", "1", any);
    }
    CHECK(folder.names().empty());
    AtomicFolder kept((folder / "a").string() + "/");
    write_file(kept.path() / "x", "1", any);
    kept.commit();
    CHECK(folder.names() == std::vector<std::string>{"a"});
    CHECK(fs::exists(folder / "a/x"));
    CHECK(contains(error_naming("a", [&] { AtomicFolder(folder / "a"); }), "the name is taken"));
    fs::create_directory(folder / "empty");
    AtomicFolder(folder / "empty").commit();
}

TEST_CASE("What a killed run left is removed, what a living one writes is not") {
    const TemporaryFolder folder;
    put(folder / "film.mp4.tulle-1-0.tmp", "left");
    put(folder / "frames.tulle-1-1.tmp/0001.obj", "left");
    put(folder / "mine.tmp", "mine");
    put(folder / "a.tulle-1-0.tmp.txt", "mine");
    const AtomicFile living(folder / "b.txt", any);
    const AtomicFolder living_too(folder / "c");
    remove_abandoned(folder.path());
    std::vector<std::string> left;
    for (const std::string& name : folder.names())
        if (contains(name, "-1-")) left.push_back(name);
    CHECK(left == std::vector<std::string>{"a.tulle-1-0.tmp.txt"});
    CHECK(folder.names().size() == 4);
    CHECK(fs::is_directory(living_too.path()));
}
