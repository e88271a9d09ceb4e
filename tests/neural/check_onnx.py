# SPDX-License-Identifier: Apache-2.0
# check_onnx.py MODEL INPUTS OUTPUTS...: the checker of the onnx package accepts the file, and it has the versions, shapes and
# operators that onnx_file.h promises.
import sys

import onnx
from onnx import shape_inference

path, inputs, outputs = sys.argv[1], int(sys.argv[2]), [int(size) for size in sys.argv[3:]]
model = onnx.load(path)
onnx.checker.check_model(model, full_check=True)
assert model.ir_version == 7 and [(o.domain, o.version) for o in model.opset_import] == [("", 13)]
assert {node.op_type for node in model.graph.node} <= {"Gemm", "Relu", "Mul", "Add", "Sub", "Div", "Max", "Reshape", "ConvTranspose"}
assert model.producer_name == "tulle" and model.doc_string == "süß"


def shape(value):
    return value.name, [d.dim_param or d.dim_value for d in value.type.tensor_type.shape.dim]


assert shape(model.graph.input[0]) == ("x", ["batch", inputs]) and len(model.graph.input) == 1
assert shape(model.graph.output[0]) == ("y", ["batch", *outputs]) and len(model.graph.output) == 1
inferred = shape_inference.infer_shapes(model, strict_mode=True)
assert all(len(value.type.tensor_type.shape.dim) in (2, 1 + len(outputs)) for value in inferred.graph.value_info)
print("the model is sound")
