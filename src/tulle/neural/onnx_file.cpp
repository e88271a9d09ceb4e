// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/onnx_file.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/version.h"
#include "tulle/neural/protobuf_message.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace tulle::neural {

namespace {

// Field numbers are those of onnx.proto (ONNX 1.12); no others are used.
constexpr int ir_version = 7, opset_version = 13;
constexpr int float_type = 1;         // TensorProto.FLOAT
constexpr int integer_attribute = 2;  // AttributeProto.INT

ProtobufMessage tensor(const std::string& name, const std::vector<std::int64_t>& shape, const float* values) {
    ProtobufMessage message;
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        message.integer(1, size);
        count *= size;
    }
    message.integer(2, float_type).text(8, name);
    return message.text(9, {reinterpret_cast<const char*>(values), static_cast<size_t>(count) * sizeof(float)});
}

// A batch of any number of rows of this size.
ProtobufMessage value_info(const std::string& name, int size) {
    ProtobufMessage shape, tensor_type, type;
    shape.message(1, ProtobufMessage().text(2, "batch")).message(1, ProtobufMessage().integer(1, size));
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

    // output = operation(newest value, others…).
    void apply(const std::string& operation, const std::vector<std::string>& others, const std::string& output) {
        ProtobufMessage node;
        node.text(1, newest_);
        for (const std::string& other : others) node.text(1, other);
        node.text(2, output).text(3, output).text(4, operation);
        if (operation == "Gemm")
            node.message(5, ProtobufMessage().text(1, "transB").integer(3, 1).integer(20, integer_attribute));
        graph_.message(1, node);
        newest_ = output;
    }

    ProtobufMessage finish(int inputs, int outputs) {
        graph_.text(2, "tulle").message(11, value_info("x", inputs)).message(12, value_info(newest_, outputs));
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

ProtobufMessage graph_of(const Network& network) {
    Graph graph;
    const Normalisation& normalisation = network.normalisation;
    graph.apply("Sub", {graph.constant("input_mean", normalisation.input_mean)}, "centred");
    graph.apply("Div", {graph.constant("input_scale", normalisation.input_scale)}, "normalised");
    for (size_t k = 0; k < network.layers.size(); ++k) {
        const std::string layer = fmt::format("layers.{}", k);
        graph.apply("Gemm",
                    {graph.constant(layer + ".weight", network.layers[k].weights),
                     graph.constant(layer + ".bias", network.layers[k].bias)},
                    layer + ".sum");
        if (k + 1 < network.layers.size()) apply_activation(graph, network.activation, layer);
    }
    graph.apply("Mul", {graph.constant("output_scale", normalisation.output_scale)}, "scaled");
    graph.apply("Add", {graph.constant("output_mean", normalisation.output_mean)}, "y");
    return graph.finish(network.input_size(), network.output_size());
}

}  // namespace

void write_onnx(const std::filesystem::path& path, const Network& network, const std::string& description) {
    check(network, path.string());
    ProtobufMessage model;
    model.integer(1, ir_version).text(2, "tulle").text(3, version).text(6, description).message(7, graph_of(network));
    model.message(8, ProtobufMessage().text(1, "").integer(2, opset_version));
    write_file(path, model.bytes(), {"a network that Tulle wrote (ONNX)", "\x12\x05tulle", 2});
}

}  // namespace tulle::neural
