// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cloths.h"
#include "tulle/core/random.h"
#include "tulle/view/binary_messages.h"
#include "tulle/view/outbox.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace tulle;
using namespace tulle::view;

namespace {

template <typename Value>
Value at(const std::string& bytes, size_t offset) {
    Value value;
    REQUIRE(offset + sizeof(Value) <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof(Value));
    return value;
}

ShownFrame frame(int panel, long number, std::uint64_t inputs = 0) {
    return {panel, number, inputs, std::make_shared<const std::string>(80, 'x')};
}

}  // namespace

TEST_CASE("Messages of the page are understood") {
    const ClientMessage grab = parse_client_message(
        R"({"type":"grab","pointer":2,"panel":1,"triangle":12,"weights":[0.2,0.3,0.5],"target":[1,2,3],"everywhere":false,"seq":7})");
    CHECK(grab.seq == 7u);
    const auto& body = std::get<GrabMessage>(grab.body);
    CHECK(body.input.pointer == 2);
    CHECK(body.input.triangle == 12);
    CHECK(body.input.target == Vector3(1, 2, 3));
    CHECK_FALSE(body.everywhere);
    CHECK(std::holds_alternative<PlayMessage>(parse_client_message(R"({"type":"play"})").body));
    CHECK(
        std::get<Vector3>(
            std::get<SetMessage>(parse_client_message(R"({"type":"set","name":"wind","value":[1,2,3]})").body).value) ==
        Vector3(1, 2, 3));
    const auto joint =
        std::get<JointMessage>(parse_client_message(R"({"type":"joint","name":"left_elbow","angles":[1,0,-2]})").body);
    CHECK(joint.input.name == "left_elbow");
    CHECK(joint.input.angles == Vector3(1, 0, -2));
    CHECK(std::get<SaveMessage>(
              parse_client_message(R"({"type":"save","what":"picture","panel":0,"size":[640,360]})").body)
              .size[1] == 360);
}

TEST_CASE("Anything else is refused in a short sentence") {
    const std::string deep = "{\"type\":" + std::string(500, '[') + std::string(500, ']') + "}";
    for (const std::string& text : std::vector<std::string>{
             "",
             "null",
             "[]",
             "1",
             "{",
             "{}",
             R"({"type":1})",
             R"({"type":"fly"})",
             R"({"type":"play","x":1})",
             R"({"type":"speed","value":"fast"})",
             R"({"type":"speed","value":1e9})",
             R"({"type":"speed","value":1e999})",
             R"({"type":"seek","frame":-1})",
             R"({"type":"seek","frame":1.5})",
             R"({"type":"seek","frame":18446744073709551615})",
             R"({"type":"methods","methods":[]})",
             R"({"type":"methods","methods":["a","b","c","d","e"]})",
             R"({"type":"drag","pointer":10,"target":[0,0,0]})",
             R"({"type":"drag","pointer":0,"target":[0,0]})",
             R"({"type":"drag","pointer":0,"target":[0,0,1e300]})",
             R"({"type":"grab","pointer":0,"panel":0,"triangle":1,"weights":[1,1,1],"target":[0,0,0]})",
             R"({"type":"joint","name":"left_elbow"})",
             R"({"type":"joint","name":"left_elbow","angles":[7,0,0]})",
             R"({"type":"joint","name":"left_elbow","angles":[1,0]})",
             R"({"type":"save","what":"/etc/passwd","panel":0})",
             R"({"type":"open","scene":{"a":1}})",
             R"({"type":"ack","panel":4,"frame":1})",
             deep,
             std::string(5000, ' '),
             "\xff\xfe{}"}) {
        CAPTURE(text);
        std::string reason;
        try {
            static_cast<void>(parse_client_message(text));
        } catch (const BadMessage& bad) {
            reason = bad.what();
        }
        CHECK_FALSE(reason.empty());
        CHECK(reason.size() < 123);
    }
}

TEST_CASE("A thousand damaged messages are understood or refused, never more") {
    const std::vector<std::string> sound = {
        R"({"type":"grab","pointer":0,"panel":0,"triangle":12,"weights":[0.2,0.3,0.5],"target":[1,2,3]})",
        R"({"type":"save","what":"picture","panel":0,"camera":{"eye":[1,2,3],"target":[0,0,0],"field_of_view":35}})",
        R"({"type":"set","name":"wind","value":[6,2,0],"seq":5})"};
    Random random(7);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        std::string text = sound[static_cast<size_t>(i) % sound.size()];
        for (int k = 0; k < 3; ++k)
            text[static_cast<size_t>(random.uniform(0, static_cast<double>(text.size())))] =
                static_cast<char>(random.uniform(0, 256));
        try {
            static_cast<void>(parse_client_message(text));
        } catch (const BadMessage&) {
            ++refused;
        }
    }
    CHECK(refused > 500);
}

TEST_CASE("So many messages pass in a second, and no more") {
    RateLimit limit(100);
    int passed = 0;
    for (int i = 0; i < 1000; ++i) passed += limit.take(50.0) ? 1 : 0;
    CHECK(passed == 100);
    for (int i = 0; i < 1000; ++i) passed += limit.take(50.5) ? 1 : 0;
    CHECK(passed == 150);
}

TEST_CASE("Quantised positions are within half a cell of the true ones") {
    const Positions positions = test::random_rows(500, 3, 11);
    const Quantised quantised = quantise(positions);
    const Vector3 cell = quantised.size.cast<double>() / 65535;
    for (long v = 0; v < positions.rows(); ++v) {
        const Vector3 error = place_of(quantised, static_cast<size_t>(v)) - positions.row(v).transpose();
        CHECK((error.cwiseAbs() - 0.51 * cell - Vector3::Constant(1e-6)).maxCoeff() < 0);
    }
    Positions flat = positions;
    flat.col(1).setConstant(2);
    CHECK(place_of(quantise(flat), 3).y() == 2);
}

TEST_CASE("A frame has its parts where the protocol says") {
    const Positions positions = test::random_rows(5, 1, 3);
    FrameMessage message{.panel = 1, .is_jump = true, .topology = 9, .frame = 17, .time = 0.68, .positions = positions};
    message.scalars.kind = ColorMode::Speed;
    message.scalars.values = VectorX::LinSpaced(5, 0, 2);
    message.scalars.most = 2;
    message.rigid = {{.collider = 3, .to_world = Eigen::Isometry3d(Eigen::Translation3d(1, 2, 3))}};
    message.grabs = {{.pointer = 4, .vertex = 2, .point = {1, 1, 1}, .target = {0, 0, 5}}};
    message.deformed = {{.collider = 6, .positions = positions}};
    const std::string bytes = encode(message);
    CHECK(at<std::uint8_t>(bytes, 0) == 2);
    CHECK(at<std::uint8_t>(bytes, 1) == 1);
    CHECK(at<std::uint16_t>(bytes, 2) == 3);
    CHECK(at<std::uint32_t>(bytes, 4) == 9);
    CHECK(at<std::uint32_t>(bytes, 8) == 17);
    CHECK(at<double>(bytes, 16) == 0.68);
    CHECK(at<std::uint32_t>(bytes, 24) == 5);
    CHECK(at<std::uint32_t>(bytes, 28) == 2);
    CHECK(at<float>(bytes, 60) == 2);
    CHECK(at<std::uint32_t>(bytes, 64) == 1);
    CHECK(at<std::uint32_t>(bytes, 68) == 1);
    CHECK(at<std::uint32_t>(bytes, 72) == 1);
    const size_t scalars = 80 + 32;  // 30 bytes of positions and two left over
    CHECK(at<std::uint8_t>(bytes, scalars) == 0);
    CHECK(at<std::uint8_t>(bytes, scalars + 4) == 255);
    const size_t rigid = scalars + 8;
    CHECK(at<std::uint32_t>(bytes, rigid) == 3);
    CHECK(at<float>(bytes, rigid + 8) == 2);
    CHECK(at<float>(bytes, rigid + 28) == 1);  // w
    const size_t grab = rigid + 32;
    CHECK(at<std::uint32_t>(bytes, grab) == 4);
    CHECK(at<float>(bytes, grab + 28) == 5);
    const size_t deformed = grab + 32;
    CHECK(at<std::uint32_t>(bytes, deformed) == 6);
    CHECK(at<std::uint32_t>(bytes, deformed + 4) == 5);
    CHECK(bytes.size() == deformed + 32 + 32);
}

TEST_CASE("Of a panel two frames are under way at most, and the newest wins") {
    Outbox outbox;
    std::vector<long> sent;
    for (long i = 0; i < 100; ++i) {
        outbox.put_frame(frame(0, i));
        while (outbox.next()) sent.push_back(i);
    }
    CHECK(sent == std::vector<long>{0, 1});
    outbox.ack({0, 0});
    CHECK(outbox.next());
    CHECK_FALSE(outbox.next());
    outbox.put_frame(frame(1, 5));
    CHECK(outbox.next());  // another panel does not wait
}

TEST_CASE("A frame tells the newest input that it shows") {
    Outbox outbox;
    outbox.note_input(10, 3);
    outbox.note_input(11, 4);
    outbox.put_frame(frame(0, 1, 3));
    CHECK(outbox.next()->seq == 10u);
    outbox.put_frame(frame(1, 1, 9));
    CHECK(outbox.next()->seq == 11u);
    outbox.put_frame(frame(0, 2, 2));
    CHECK(outbox.next()->seq == 10u);
}

TEST_CASE("What must be read comes before frames, and too much of it is noticed") {
    Outbox outbox;
    outbox.put_frame(frame(0, 1));
    outbox.put_status(std::make_shared<const std::string>("status"));
    outbox.put_text(std::make_shared<const std::string>("scene"));
    CHECK(*outbox.next()->bytes == "scene");
    CHECK(*outbox.next()->bytes == "status");
    CHECK(outbox.next()->is_binary);
    CHECK_FALSE(outbox.is_overfull());
    for (int i = 0; i < 100; ++i) outbox.put_text(std::make_shared<const std::string>("more"));
    CHECK(outbox.is_overfull());
}
