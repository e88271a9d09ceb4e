// SPDX-License-Identifier: Apache-2.0
// HDF5 ids that close themselves. Only for the .cpp files of this folder: users of the library never see <hdf5.h>.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tulle::io::hdf5 {

class Handle {
public:
    using Close = herr_t (*)(hid_t);

    Handle() = default;
    Handle(hid_t id, Close close_function) : id_(id), close_(close_function) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() { close(); }

    operator hid_t() const { return id_; }
    bool valid() const { return id_ >= 0; }
    bool close() { return id_ < 0 || close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

private:
    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

#ifndef H5_HAVE_THREADSAFE
#error "several threads write caches at once: HDF5 must be built with thread safety, as Debian's is"
#endif

// While one of these lives, HDF5 does not print its error stack; we report errors by exceptions.
class Quiet {
public:
    Quiet() {
        // A damaged file can leave the library unable to close itself at exit, which it then says on standard error.
        // All our files are closed by their handles, so it need not try. Only the very first call has an effect.
        [[maybe_unused]] static const herr_t once = H5dont_atexit();
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

template <typename Scalar>
hid_t native_type();
template <>
inline hid_t native_type<double>() {
    return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t native_type<float>() {
    return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t native_type<int>() {
    return H5T_NATIVE_INT;
}
template <>
inline hid_t native_type<std::uint64_t>() {
    return H5T_NATIVE_UINT64;
}
template <>
inline hid_t native_type<std::byte>() {
    return H5T_NATIVE_UINT8;
}

}  // namespace tulle::io::hdf5
