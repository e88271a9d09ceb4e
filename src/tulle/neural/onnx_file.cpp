// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/onnx_file.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/version.h"
#include "tulle/neural/protobuf_message.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace tulle::neural {

namespace {

// Field numbers are those of onnx.proto (ONNX 1.12); no others are used.
constexpr int ir_version = 7, opset_version = 13;
constexpr int float_type = 1, integer_type = 7;               // TensorProto.FLOAT, INT64
constexpr int integer_attribute = 2, integers_attribute = 7;  // AttributeProto.INT, INTS

using Shape = std::vector<std::int64_t>;

template <typename Number>
ProtobufMessage tensor(const std::string& name, const Shape& shape, const Number* values) {
    ProtobufMessage message;
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        message.integer(1, size);
        count *= size;
    }
    message.integer(2, std::is_same_v<Number, float> ? float_type : integer_type).text(8, name);
    return message.text(9, {reinterpret_cast<const char*>(values), static_cast<size_t>(count) * sizeof(Number)});
}

ProtobufMessage attribute(const std::string& name, std::int64_t value) {
    return ProtobufMessage().text(1, name).integer(3, value).integer(20, integer_attribute);
}
ProtobufMessage attribute(const std::string& name, const Shape& values) {
    ProtobufMessage message;
    message.text(1, name);
    for (const std::int64_t value : values) message.integer(8, value);
    return message.integer(20, integers_attribute);
}

// A batch of any number of arrays of this shape.
ProtobufMessage value_info(const std::string& name, const Shape& sizes) {
    ProtobufMessage shape, tensor_type, type;
    shape.message(1, ProtobufMessage().text(2, "batch"));
    for (const std::int64_t size : sizes) shape.message(1, ProtobufMessage().integer(1, size));
    tensor_type.integer(1, float_type).message(2, shape);
    type.message(1, tensor_type);
    return ProtobufMessage().text(1, name).message(2, type);
}

// A chain of operators from "x"; every operator after the first takes what the one before it gave.
class Graph {
public:
    std::string constant(const std::string& name, const Eigen::VectorXf& values) {
        graph_.message(5, tensor(name, {values.size()}, values.data()));
        return name;
    }
    std::string constant(const std::string& name, const Weights& values) {
        graph_.message(5, tensor(name, {values.rows(), values.cols()}, values.data()));
        return name;
    }

    template <typename Number>
    std::string constant(const std::string& name, const Shape& shape, const std::vector<Number>& values) {
        graph_.message(5, tensor(name, shape, values.data()));
        return name;
    }

    // output = operation(newest value, others…).
    void apply(const std::string& operation, const std::vector<std::string>& others, const std::string& output,
               const std::vector<ProtobufMessage>& attributes = {}) {
        ProtobufMessage node;
        node.text(1, newest_);
        for (const std::string& other : others) node.text(1, other);
        node.text(2, output).text(3, output).text(4, operation);
        for (const ProtobufMessage& one : attributes) node.message(5, one);
        graph_.message(1, node);
        newest_ = output;
    }

    ProtobufMessage finish(int inputs, const Shape& outputs) {
        graph_.text(2, "tulle").message(11, value_info("x", {inputs})).message(12, value_info(newest_, outputs));
        return std::move(graph_);
    }

    const std::string& newest() const { return newest_; }

private:
    ProtobufMessage graph_;
    std::string newest_ = "x";
};

void apply_activation(Graph& graph, Activation activation, const std::string& layer) {
    if (activation == Activation::Relu) {
        graph.apply("Relu", {}, layer + ".relu");
        return;
    }
    const std::string sum = graph.newest();
    const std::string slope = graph.constant(layer + ".slope", Eigen::VectorXf(Eigen::VectorXf::Constant(1, 0.01f)));
    graph.apply("Mul", {slope}, layer + ".scaled");
    graph.apply("Max", {sum}, layer + ".leaky_relu");
}

void normalise(Graph& graph, const Eigen::VectorXf& mean, const Eigen::VectorXf& scale) {
    graph.apply("Sub", {graph.constant("input_mean", mean)}, "centred");
    graph.apply("Div", {graph.constant("input_scale", scale)}, "normalised");
}

void apply_dense(Graph& graph, const DenseLayer& layer, const std::string& name) {
    graph.apply("Gemm", {graph.constant(name + ".weight", layer.weights), graph.constant(name + ".bias", layer.bias)},
                name + ".sum", {attribute("transB", 1)});
}

ProtobufMessage graph_of(const Network& network) {
    Graph graph;
    const Normalisation& normalisation = network.normalisation;
    normalise(graph, normalisation.input_mean, normalisation.input_scale);
    for (size_t k = 0; k < network.layers.size(); ++k) {
        const std::string layer = fmt::format("layers.{}", k);
        apply_dense(graph, network.layers[k], layer);
        if (k + 1 < network.layers.size()) apply_activation(graph, network.activation, layer);
    }
    graph.apply("Mul", {graph.constant("output_scale", normalisation.output_scale)}, "scaled");
    graph.apply("Add", {graph.constant("output_mean", normalisation.output_mean)}, "y");
    return graph.finish(network.input_size(), {network.output_size()});
}

ProtobufMessage graph_of(const ImageNetwork& network) {
    constexpr int kernel = TransposedConvolution::kernel;
    Graph graph;
    normalise(graph, network.input_mean, network.input_scale);
    apply_dense(graph, network.dense, "dense");
    const Shape first = {0, network.layers.front().inputs, network.first_height, network.first_width};  // 0: the batch
    graph.apply("Reshape", {graph.constant("first.shape", {4}, first)}, "first");
    for (size_t k = 0; k < network.layers.size(); ++k) {
        const TransposedConvolution& layer = network.layers[k];
        const std::string name = fmt::format("layer{}", k);
        graph.apply("Relu", {}, name + ".relu");
        graph.apply("ConvTranspose",
                    {graph.constant(name + ".weight", {layer.inputs, layer.outputs, kernel, kernel}, layer.weights),
                     graph.constant(name + ".bias", layer.bias)},
                    k + 1 < network.layers.size() ? name + ".sum" : "y",
                    {attribute("kernel_shape", Shape{kernel, kernel}), attribute("strides", Shape{2, 2}),
                     attribute("pads", Shape{1, 1, 1, 1})});
    }
    return graph.finish(network.input_size(), {network.channels(), network.height(), network.width()});
}

template <typename AnyNetwork>
void write_checked(const std::filesystem::path& path, const AnyNetwork& network, const std::string& description) {
    check(network, path.string());
    ProtobufMessage model;
    model.integer(1, ir_version).text(2, "tulle").text(3, version).text(6, description).message(7, graph_of(network));
    model.message(8, ProtobufMessage().text(1, "").integer(2, opset_version));
    write_file(path, model.bytes(), {"a network that Tulle wrote (ONNX)", "\x12\x05tulle", 2});
}

}  // namespace

void write_onnx(const std::filesystem::path& path, const Network& network, const std::string& description) {
    write_checked(path, network, description);
}

void write_onnx(const std::filesystem::path& path, const ImageNetwork& network, const std::string& description) {
    write_checked(path, network, description);
}

}  // namespace tulle::neural
