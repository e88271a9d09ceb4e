# SPDX-License-Identifier: Apache-2.0
# An independent reader of weights files: read_weights.py WEIGHTS NETWORK INPUTS OUTPUTS. Reads the file by the
# specification of safetensors, evaluates the network with NumPy in double precision and compares with OUTPUTS.
import json
import struct
import sys

import numpy as np


def read_safetensors(path):
    data = open(path, "rb").read()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size].decode("utf-8"))
    metadata = header.pop("__metadata__")
    body = data[8 + size :]
    assert (8 + size) % 8 == 0
    tensors, covered = {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        assert begin == covered and entry["dtype"] == "F32", name
        tensors[name] = np.frombuffer(body[begin:end], dtype="<f4").reshape(entry["shape"]).astype("f8")
        covered = end
    assert covered == len(body)
    return metadata, tensors


def evaluate(tensors, name, activation, x):
    get = lambda part: tensors[f"{name}.{part}"]
    x = (x - get("input_mean")) / get("input_scale")
    layers = sum(1 for key in tensors if key.startswith(f"{name}.layers.") and key.endswith(".weight"))
    for k in range(layers):
        x = x @ get(f"layers.{k}.weight").T + get(f"layers.{k}.bias")
        if k + 1 < layers:
            x = np.maximum(x, 0 if activation == "relu" else 0.01 * x)
    return x * get("output_scale") + get("output_mean")


path, name, inputs, outputs = sys.argv[1:]
metadata, tensors = read_safetensors(path)
assert metadata["format"] == "tulle-model" and metadata["version"] == "2"
card = json.loads(metadata["card"])
assert card["süß"] == [1, {"a": 2.5}]
x = np.fromfile(inputs, dtype="<f4").reshape(-1, len(tensors[f"{name}.input_mean"]))
expected = np.fromfile(outputs, dtype="<f4").reshape(len(x), -1)
difference = np.abs(evaluate(tensors, name, card["activation"], x) - expected).max()
assert difference < 1e-5 * np.abs(expected).max(), difference
print(f"{len(x)} samples are the same")
