// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/access.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/view/page_files.h"
#include "tulle/view/parameters.h"
#include "tulle/view/saving.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace tulle;
using namespace tulle::view;

TEST_CASE("Only our own page with the right token may connect") {
    const AccessRules rules{.token = "abc", .is_loopback = true, .port = 8642};
    const auto refuses = [&](const char* host, const char* origin, const char* target) {
        return reason_against_socket(rules, host, origin, target).has_value();
    };
    CHECK_FALSE(refuses("127.0.0.1:8642", "http://127.0.0.1:8642", "/live?token=abc"));
    CHECK_FALSE(refuses("localhost:8642", "http://localhost:8642", "/live?x=1&token=abc"));
    CHECK(refuses("127.0.0.1:8642", "http://127.0.0.1:8642", "/live"));
    CHECK(refuses("127.0.0.1:8642", "http://127.0.0.1:8642", "/live?token=abd"));
    CHECK(refuses("127.0.0.1:8642", "http://127.0.0.1:8642", "/live?token=abcd"));
    CHECK(refuses("127.0.0.1:8642", "http://127.0.0.1:8642", "/live?mytoken=abc"));
    CHECK(refuses("127.0.0.1:8642", "http://evil.example", "/live?token=abc"));
    CHECK(refuses("127.0.0.1:8642", "http://localhost:8642", "/live?token=abc"));
    CHECK(refuses("127.0.0.1:8642", "", "/live?token=abc"));
    CHECK(refuses("evil.example:8642", "http://evil.example:8642", "/live?token=abc"));
    CHECK(refuses("127.0.0.1:1", "http://127.0.0.1:1", "/live?token=abc"));
    CHECK(refuses("", "http://", "/live?token=abc"));
}

TEST_CASE("Tokens are long, never the same, and kept for their owner alone") {
    CHECK(make_token().size() == 32);
    CHECK(make_token() != make_token());
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "run" / "token";
    const std::string token = kept_token(file);
    CHECK(kept_token(file) == token);
    using std::filesystem::perms;
    CHECK((std::filesystem::status(file).permissions() & (perms::group_all | perms::others_all)) == perms::none);
    std::filesystem::permissions(file, perms::others_read, std::filesystem::perm_options::add);
    test::error_naming("token", [&] { static_cast<void>(kept_token(file)); });
    std::ofstream(folder.path() / "other") << "something else";
    test::error_naming("other", [&] { static_cast<void>(kept_token(folder.path() / "other")); });
}

TEST_CASE("Only the files of the page are there") {
    const test::TemporaryFolder folder;
    const auto page = folder.path() / "page";
    std::filesystem::create_directories(page / "assets");
    std::ofstream(folder.path() / "secret.txt") << "secret";
    std::ofstream(page / "index.html") << "<html>";
    std::ofstream(page / "assets" / "index-1a.js") << "code";
    std::ofstream(page / "assets" / "index-1a.js.gz") << "zip";
    std::filesystem::create_symlink(folder.path() / "secret.txt", page / "link.txt");
    const PageFiles files(page);
    CHECK(files.find("/")->bytes == "<html>");
    CHECK(files.find("/assets/index-1a.js")->gzipped == "zip");
    CHECK(files.find("/assets/index-1a.js")->is_lasting);
    for (const char* path : {"", "/../secret.txt", "/link.txt", "/assets/../../secret.txt", "//index.html", "/assets",
                             "/assets/index-1a.js.gz", "/%2e%2e/secret.txt", "/index.html/", "index.html"})
        CHECK(files.find(path) == nullptr);
    CHECK(test::contains(test::error_of([&] { PageFiles none(folder.path()); }), "./dev view"));
}

TEST_CASE("Nothing that was saved is overwritten, and names stay in their folder") {
    const test::TemporaryFolder folder;
    const auto first = free_path(folder.path(), "flag-admm:5", ".h5");
    CHECK(first.filename() == "flag-admm-5.h5");
    std::ofstream(first) << "kept";
    CHECK(free_path(folder.path(), "flag-admm:5", ".h5").filename() == "flag-admm-5-2.h5");
    CHECK(free_path(folder.path(), "../../etc/passwd", "").parent_path() == folder.path());
}

TEST_CASE("Parameters become what the scene is loaded with") {
    const auto scene = scene::load_scene(std::filesystem::path(TULLE_SOURCE_DIR) / "scenes/flag.toml");
    const auto list = parameters_of(scene, {"admm", "hierarchy"});
    const auto named = [&](const std::string& name) {
        return *std::find_if(list.begin(), list.end(), [&](const Parameter& p) { return p.name == name; });
    };
    CHECK(std::get<Vector3>(named("wind").fallback) == Vector3(6, 2, 0));
    CHECK(std::get<double>(named("iterations").fallback) == 20);
    CHECK_NOTHROW(check_value(named("stretch"), 2.0));
    CHECK_THROWS_AS(check_value(named("stretch"), 11.0), Error);
    CHECK_THROWS_AS(check_value(named("stretch"), std::string("2")), Error);
    CHECK_THROWS_AS(check_value(named("wind"), Vector3(100, 0, 0)), Error);
    CHECK_THROWS_AS(check_value(named("iterations"), 1.5), Error);
    CHECK_THROWS_AS(check_value(named("projection"), std::string("magic")), Error);
    CHECK(overrides_for(scene, {}).empty());
    const auto overrides =
        overrides_for(scene, {{"stretch", 2.0}, {"bend", 0.5}, {"iterations", 7.0}, {"factor", std::string("2")}});
    const auto changed = scene::parse_scene(scene.text, "flag", scene.folder, overrides);
    const auto& springs = std::get<physics::GridMaterial>(changed.cloth.material);
    CHECK(springs.stretch.stiffness == 200);
    CHECK(springs.shear.stiffness == 200);
    CHECK(springs.bend.stiffness == 2.5);
    CHECK(changed.upscaling.factor == 2);
    CHECK(method_for("hierarchy", {{"projection", std::string("inextensible")}}) == "hierarchy+inextensible");
}
