// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/io/export.h"
#include "tulle/io/pc2.h"

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

const std::vector<ExportFormat> all_formats = {ExportFormat::Usd, ExportFormat::Gltf, ExportFormat::Obj,
                                               ExportFormat::Pc2};

}  // namespace

TEST_CASE("Exports refuse targets that are taken, devices, or inside of files, and leave them alone") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 3);
    const CacheReader cache(folder / "a.h5");
    std::ofstream(folder / "taken") << "mine";
    fs::create_directory(folder / "folder");
    std::ofstream(folder / "folder/notes.txt") << "mine";
    for (const ExportFormat format : all_formats) {
        CHECK(contains(error_of([&] { export_cache(cache, format, folder / "taken"); }, "taken"), "exists already"));
        for (const fs::path& target :
             {folder / "folder", folder / "taken", folder / "taken/a", fs::path("/dev/null"), fs::path("/proc/a")})
            error_of([&] { export_cache(cache, format, target, {.overwrite = true}); }, target);
    }
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf", "folder", "taken"});
    CHECK(read_file(folder / "taken", 100) == "mine");
    CHECK(read_file(folder / "folder/notes.txt", 100) == "mine");
}

TEST_CASE("Exports replace earlier ones if that is allowed") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 3);
    write_example(folder / "b.h5", example_header(), 2);
    for (const ExportFormat format : all_formats) {
        const fs::path target = default_export_path(folder / "x.h5", format);
        export_cache(CacheReader(folder / "a.h5"), format, target);
        export_cache(CacheReader(folder / "b.h5"), format, target, {.overwrite = true});
    }
    CHECK(Pc2Reader(folder / "x.pc2").frame_count() == 2);
    CHECK(fs::exists(folder / "x-obj/cloth.0001.obj"));
    CHECK_FALSE(fs::exists(folder / "x-obj/cloth.0002.obj"));
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf", "b.h5", "b.xdmf", "b.xmf", "x-obj",
                                                     "x.ball.obj", "x.ball.pc2", "x.glb", "x.obj", "x.pc2", "x.usda",
                                                     "x.wedge.obj", "x.wedge.pc2"});
}

TEST_CASE("A PC2 export does not take the place of somebody's OBJ file") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 2);
    const CacheReader cache(folder / "a.h5");
    std::ofstream(folder / "a.obj") << "mine";
    error_of([&] { export_cache(cache, ExportFormat::Pc2, folder / "a.pc2"); }, "a.obj");
    error_of([&] { export_cache(cache, ExportFormat::Pc2, folder / "a.pc2", {.overwrite = true}); }, "a.obj");
    error_of([&] { export_cache(cache, ExportFormat::Pc2, folder / "b.obj"); }, "b.obj");
    CHECK(read_file(folder / "a.obj", 100) == "mine");
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.obj", "a.xdmf", "a.xmf"});
}

TEST_CASE("An export that is stopped in any frame of any pass leaves nothing") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", deforming_header(), 4);
    const CacheReader cache(folder / "a.h5");
    for (const ExportFormat format : all_formats) {
        int frames = 0;
        export_cache(cache, format, folder / "whole", {.before_frame = [&] { ++frames; }});
        CHECK(frames >= 4);
        fs::remove_all(folder / "whole");
        for (const char* side :
             {".obj", ".blob.obj", ".blob.pc2", ".ball.obj", ".ball.pc2", ".wedge.obj", ".wedge.pc2"})
            fs::remove(folder / (std::string("whole") + side));
        for (int last = 1; last <= frames; ++last) {
            int seen = 0;
            const auto stop = [&] {
                if (++seen == last) throw Error(std::string("stopped"));
            };
            error_of([&] { export_cache(cache, format, folder / "x", {.before_frame = stop}); }, "stopped");
            CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf"});
        }
    }
}

TEST_CASE("What cannot be exported later is refused before, and asking leaves nothing") {
    const TemporaryFolder folder;
    std::ofstream(folder / "a.obj") << "mine";
    std::ofstream(folder / "b") << "mine";
    for (const ExportFormat format : all_formats) {
        error_of([&] { prepare_export(format, folder / "b", 3); }, "b");
        CHECK_NOTHROW(prepare_export(format, folder / "c", 3));
    }
    error_of([&] { prepare_export(ExportFormat::Pc2, folder / "a.pc2", 3); }, "a.obj");
    CHECK(folder.names() == std::vector<std::string>{"a.obj", "b"});
}

TEST_CASE("What a killed export left is removed by the next one") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 2);
    std::ofstream(folder / "b.usda.tulle-1-0.tmp") << "left";
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Pc2, folder / "a.pc2");
    CHECK(folder.names() == std::vector<std::string>{"a.ball.obj", "a.ball.pc2", "a.h5", "a.obj", "a.pc2",
                                                     "a.wedge.obj", "a.wedge.pc2", "a.xdmf", "a.xmf"});
}

TEST_CASE("A folder of somebody's OBJ files is not replaced by a sequence") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 2);
    const CacheReader cache(folder / "a.h5");
    export_cache(cache, ExportFormat::Obj, folder / "frames");
    std::ofstream(folder / "frames/extra.obj") << "v 0 0 0\n";
    error_of([&] { export_cache(cache, ExportFormat::Obj, folder / "frames", {.overwrite = true}); }, "frames");
    CHECK(read_file(folder / "frames/extra.obj", 100) == "v 0 0 0\n");
}

TEST_CASE("An export never takes the place of its own cache, nor of an export of another format") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 2);
    const CacheReader cache(folder / "a.h5");
    const std::string before = read_file(folder / "a.h5", 1 << 20);
    fs::create_hard_link(folder / "a.h5", folder / "hard.glb");
    fs::create_symlink(folder / "a.h5", folder / "soft.glb");
    for (const ExportFormat format : all_formats) {
        for (const char* name : {"a.h5", "hard.glb", "soft.glb"})
            error_of([&] { export_cache(cache, format, folder / name, {.overwrite = true}); }, name);
        export_cache(cache, format, default_export_path(folder / "x.h5", format));
        for (const ExportFormat other : all_formats) {
            const fs::path target = default_export_path(folder / "x.h5", other);
            if (other == format || !fs::exists(target)) continue;
            error_of([&] { export_cache(cache, format, target, {.overwrite = true}); }, target);
        }
    }
    CHECK(read_file(folder / "a.h5", 1 << 20) == before);
}

TEST_CASE("A full disk ends every export in one sentence and leaves nothing") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(20, 30), 40);
    const CacheReader cache(folder / "a.h5");
    fs::create_directory(folder / "disk");
    const std::string disk = (folder / "disk").string();
    if (run("mount -t tmpfs -o size=128k tmpfs '" + disk + "'").exit_code != 0) {
        MESSAGE("needs root to mount a small disk");
        return;
    }
    for (const ExportFormat format : all_formats) {
        const std::string message = error_of([&] { export_cache(cache, format, folder / "disk/x"); }, "");
        CHECK(contains(message, "No space left"));
        CHECK(fs::is_empty(folder / "disk"));
    }
    CHECK(run("umount '" + disk + "'").exit_code == 0);
}

TEST_CASE("Every broken PC2 file ends in one sentence that names the file") {
    const TemporaryFolder folder;
    {
        Pc2Writer writer(folder / "sound.pc2", 5, 3);
        for (int f = 0; f < 3; ++f) writer.append(Positions::Constant(5, 3, f));
        writer.commit();
    }
    const std::string sound = read_file(folder / "sound.pc2", 1000);
    const auto with = [&](size_t place, auto value) {
        std::string changed = sound;
        std::memcpy(changed.data() + place, &value, sizeof value);
        return changed;
    };
    const std::vector<std::string> broken = {"",
                                             "POINTCACHE2",
                                             sound.substr(0, 31),
                                             sound.substr(0, sound.size() - 1),
                                             with(0, 'X'),
                                             with(12, 2),
                                             with(16, 0),
                                             with(16, -5),
                                             with(16, 2'000'000'000),
                                             with(28, 0),
                                             with(28, 2'000'000'000),
                                             with(28, -1),
                                             with(20, std::nanf("")),
                                             with(24, 0.0F),
                                             with(24, -1.0F),
                                             with(40, std::nanf(""))};
    for (const std::string& bytes : broken) {
        std::ofstream(folder / "broken.pc2", std::ios::binary) << bytes;
        const auto read = [&] {
            const Pc2Reader reader(folder / "broken.pc2");
            for (long f = 0; f < reader.frame_count(); ++f) reader.frame(f);
        };
        error_of(read, "broken.pc2");
    }
    error_of([&] { Pc2Reader(folder / "none.pc2"); }, "none.pc2");
    error_of([&] { Pc2Reader("/tmp"); }, "tmp");
    error_of([&] { Pc2Reader(folder / "sound.pc2").frame(3); }, "sound.pc2");
}
