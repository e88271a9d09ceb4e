// SPDX-License-Identifier: Apache-2.0
// As much of the protobuf wire format as an ONNX file needs; linking the whole library for it would burden every user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tulle::neural {

// A message that is being written, field by field. A field is a tag, (number << 3) | wire type, and its value.
class ProtobufMessage {
public:
    ProtobufMessage& integer(int field, std::int64_t value) {
        tag(field, 0);
        variable(static_cast<std::uint64_t>(value));
        return *this;
    }
    ProtobufMessage& text(int field, std::string_view value) {
        tag(field, 2);
        variable(value.size());
        bytes_ += value;
        return *this;
    }
    ProtobufMessage& message(int field, const ProtobufMessage& value) { return text(field, value.bytes_); }

    const std::string& bytes() const { return bytes_; }

private:
    void tag(int field, unsigned wire_type) { variable(static_cast<unsigned>(field) << 3 | wire_type); }

    // Seven bits a byte, lowest first; the eighth says that more follow.
    void variable(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }

    std::string bytes_;
};

}  // namespace tulle::neural
