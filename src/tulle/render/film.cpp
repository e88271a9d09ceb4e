// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/film.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace tulle::render {

namespace {

std::vector<std::string> ffmpeg_arguments(const FilmSettings& settings, const std::filesystem::path& output) {
    return {"ffmpeg", "-y", "-nostdin", "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pixel_format",
            "rgb24", "-video_size", fmt::format("{}x{}", settings.size.width, settings.size.height), "-framerate",
            fmt::format("{:.9g}", settings.frames_per_second), "-i", "pipe:0",
            // Players assume BT.709 for pictures of this kind; say so and convert accordingly.
            "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709",
            "-color_trc", "iec61966-2-1", "-color_range", "tv", "-c:v", "libx264", "-preset", "superfast", "-crf",
            fmt::format("{}", settings.quality), "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4",
            output.string()};
}

void check_settings(const std::filesystem::path& path, const FilmSettings& settings) {
    check_image_size(settings.size);
    if (path.extension() != ".mp4") throw Error("a film is an .mp4 file; '{}' is not", path.string());
    if (settings.size != even_size(settings.size))
        throw Error("a film needs an even width and height, not {}×{}; use {}×{}", settings.size.width,
                    settings.size.height, even_size(settings.size).width, even_size(settings.size).height);
    if (!(settings.frames_per_second > 0 && settings.frames_per_second <= 1000))
        throw Error("a film cannot run at {} frames per second; give more than 0 and at most 1000",
                    settings.frames_per_second);
}

}  // namespace

ImageSize even_size(const ImageSize& size) { return {.width = size.width & ~1, .height = size.height & ~1}; }

// The running ffmpeg, the socket its frames go into and the file its complaints come from.
class FilmWriter::Encoder {
public:
    Encoder(const std::filesystem::path& path, const FilmSettings& settings) : target_(path, mp4_format) {
        complaints_ = std::tmpfile();
        if (!complaints_) throw Error("cannot create a temporary file: {}", std::strerror(errno));
        start(ffmpeg_arguments(settings, std::filesystem::absolute(target_.temporary())));
    }
    ~Encoder() {
        if (socket_ >= 0) ::close(socket_);
        if (process_ > 0) {
            ::kill(process_, SIGTERM);
            ::waitpid(process_, nullptr, 0);
        }
        if (complaints_) std::fclose(complaints_);
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void send(const std::vector<std::uint8_t>& bytes) {
        size_t sent = 0;
        while (sent < bytes.size()) {
            // A socket, not a pipe: writing to an encoder that has died must not raise SIGPIPE in our caller's program.
            const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) finish();  // ffmpeg has gone: its exit status and words say why
            if (count < 0) throw Error("cannot write '{}': ffmpeg stopped early", target_.target().string());
            sent += static_cast<size_t>(count);
        }
    }

    void finish() {
        ::close(std::exchange(socket_, -1));
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
        // A disk that fills up late is only spoken about: ffmpeg 5 then still ends with 0.
        const std::string words = first_complaint();
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !words.empty())
            throw Error("cannot write '{}': ffmpeg failed{}", target_.target().string(),
                        words.empty() ? std::string(" without saying why") : ": " + words);
        target_.commit();
    }

private:
    void start(std::vector<std::string> arguments) {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            throw Error("cannot create a socket for ffmpeg: {}", std::strerror(errno));
        socket_ = ends[0];
        std::vector<char*> pointers;
        pointers.reserve(arguments.size() + 1);
        for (std::string& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ::fileno(complaints_), STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ::fileno(complaints_), STDOUT_FILENO);
        const int code = ::posix_spawnp(&process_, "ffmpeg", &actions, nullptr, pointers.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        if (code == 0) return;
        process_ = -1;
        ::close(std::exchange(socket_, -1));
        std::fclose(std::exchange(complaints_, nullptr));
        throw Error("cannot run ffmpeg, which encodes films ({}); install it, for example with `apt install ffmpeg`",
                    std::strerror(code));
    }

    // The first line that ffmpeg wrote, or nothing.
    std::string first_complaint() {
        std::rewind(complaints_);
        std::string line(500, '\0');
        if (!std::fgets(line.data(), static_cast<int>(line.size()), complaints_)) return {};
        line.resize(std::strcspn(line.c_str(), "\r\n"));
        return line;
    }

    AtomicTarget target_;
    std::FILE* complaints_ = nullptr;
    int socket_ = -1;
    pid_t process_ = -1;
};

FilmWriter::FilmWriter(const std::filesystem::path& path, const FilmSettings& settings) : settings_(settings) {
    check_settings(path, settings);
    encoder_ = std::make_unique<Encoder>(path, settings);
}

FilmWriter::~FilmWriter() = default;

void FilmWriter::add(const Image& image) {
    if (image.size != settings_.size)
        throw Error("a frame of {}×{} does not fit into a film of {}×{}", image.size.width, image.size.height,
                    settings_.size.width, settings_.size.height);
    encoder_->send(image.bytes);
}

void FilmWriter::finish() { encoder_->finish(); }

}  // namespace tulle::render
