// SPDX-License-Identifier: Apache-2.0
// Plane, sphere, capsule and box: exact signed distances.
#include "tulle/collision/shape.h"

#include "tulle/collision/shape_meshes.h"
#include "tulle/core/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

void require(bool holds, const char* sentence) {
    if (!holds) throw Error(std::string(sentence));
}

class Plane final : public Shape {
public:
    Plane(const Vector3& point, const Vector3& normal) : point_(point), normal_(normal.normalized()) {}

    double distance(const Vector3& point) const override { return normal_.dot(point - point_); }
    SurfacePoint surface(const Vector3& point) const override { return {distance(point), normal_}; }
    bool is_convex() const override { return true; }
    geometry::TriangleMesh to_mesh() const override { return plane_mesh(point_, normal_, /*size=*/10); }

    Eigen::AlignedBox3d bounds() const override {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        Eigen::AlignedBox3d box(Vector3::Constant(-infinity), Vector3::Constant(infinity));
        for (int axis = 0; axis < 3; ++axis) {
            if (normal_(axis) == 1) box.max()(axis) = point_(axis);
            if (normal_(axis) == -1) box.min()(axis) = point_(axis);
        }
        return box;
    }

private:
    Vector3 point_;
    Vector3 normal_;
};

// A sphere swept along a segment; a sphere is one that stays where it is.
class Capsule final : public Shape {
public:
    Capsule(const Vector3& start, const Vector3& end, double radius)
        : start_(start), axis_(end - start), length_squared_(axis_.squaredNorm()), radius_(radius) {}

    double distance(const Vector3& point) const override { return from_axis(point).norm() - radius_; }

    SurfacePoint surface(const Vector3& point) const override {
        const Vector3 out = from_axis(point);
        const double length = out.norm();
        if (length > 0) return {length - radius_, out / length};
        // On the axis every direction across it is as near.
        return {-radius_, length_squared_ > 0 ? Vector3(axis_.unitOrthogonal()) : Vector3(Vector3::UnitZ())};
    }

    bool is_convex() const override { return true; }
    geometry::TriangleMesh to_mesh() const override { return capsule_mesh(start_, start_ + axis_, radius_); }

    Eigen::AlignedBox3d bounds() const override {
        Eigen::AlignedBox3d box(start_);
        box.extend(Vector3(start_ + axis_));
        return {box.min().array() - radius_, box.max().array() + radius_};
    }

private:
    Vector3 from_axis(const Vector3& point) const {
        const Vector3 offset = point - start_;
        if (length_squared_ == 0) return offset;
        return offset - std::clamp(offset.dot(axis_) / length_squared_, 0.0, 1.0) * axis_;
    }

    Vector3 start_;
    Vector3 axis_;
    double length_squared_;
    double radius_;
};

class Cuboid final : public Shape {
public:
    Cuboid(const Vector3& center, const Vector3& size, const Matrix3& orientation)
        : center_(center), half_(size / 2), orientation_(orientation) {}

    double distance(const Vector3& point) const override {
        const Vector3 beyond = local(point).cwiseAbs() - half_;
        const double deepest = beyond.maxCoeff();
        return deepest <= 0 ? deepest : beyond.cwiseMax(0).norm();
    }

    SurfacePoint surface(const Vector3& point) const override {
        const Vector3 place = local(point);
        const Vector3 beyond = place.cwiseAbs() - half_;
        const Vector3 sign = place.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
        int axis = 0;
        const double deepest = beyond.maxCoeff(&axis);
        if (deepest <= 0) return {deepest, orientation_.col(axis) * sign(axis)};
        const Vector3 out = beyond.cwiseMax(0).cwiseProduct(sign);
        const double length = out.norm();
        return {length, orientation_ * (out / length)};
    }

    bool is_convex() const override { return true; }
    geometry::TriangleMesh to_mesh() const override { return box_mesh(center_, 2 * half_, orientation_); }

    Eigen::AlignedBox3d bounds() const override {
        const Vector3 reach = orientation_.cwiseAbs() * half_;
        return {center_ - reach, center_ + reach};
    }

private:
    Vector3 local(const Vector3& point) const { return orientation_.transpose() * (point - center_); }

    Vector3 center_;
    Vector3 half_;
    Matrix3 orientation_;
};

}  // namespace

std::unique_ptr<Shape> make_plane(const Vector3& point, const Vector3& normal) {
    require(point.allFinite() && normal.allFinite() && normal.norm() > 0,
            "a plane needs a finite point and a normal that is not zero");
    return std::make_unique<Plane>(point, normal);
}

std::unique_ptr<Shape> make_sphere(const Vector3& center, double radius) {
    require(center.allFinite() && std::isfinite(radius) && radius > 0,
            "a sphere needs a finite center and a radius above zero");
    return std::make_unique<Capsule>(center, center, radius);
}

std::unique_ptr<Shape> make_capsule(const Vector3& start, const Vector3& end, double radius) {
    require(start.allFinite() && end.allFinite() && std::isfinite(radius) && radius > 0,
            "a capsule needs two finite ends and a radius above zero");
    return std::make_unique<Capsule>(start, end, radius);
}

std::unique_ptr<Shape> make_box(const Vector3& center, const Vector3& size, const Matrix3& orientation) {
    require(center.allFinite() && size.allFinite() && size.minCoeff() > 0,
            "a box needs a finite center and three sizes above zero");
    require(orientation.isUnitary(1e-9) && orientation.determinant() > 0, "a box needs a rotation as its orientation");
    return std::make_unique<Cuboid>(center, size, orientation);
}

}  // namespace tulle::collision
