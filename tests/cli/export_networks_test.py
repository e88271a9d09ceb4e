#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle export --to onnx` from the command line: weights files written by hand, ONNX files read by the onnx package."""
import json
import pathlib
import struct
import tempfile
import unittest

import numpy
import onnx
from onnx import numpy_helper

from support import tulle


def write_tensors(path, card, tensors):
    header = {"__metadata__": {"format": "tulle-model", "version": "1", "card": json.dumps(card)}}
    body = b""
    for name, values in tensors.items():
        data = values.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def write_garment(path):
    """One joint, a garment of two vertices, an image of 4×4 pixels (src/tulle/methods/garment/garment_model.h)."""
    card = {"method": "garment", "scene": "shirt",
            "family": {"joints": ["waist"], "image": [4, 4], "offset_scale": 0.01, "projection": {}}}
    shapes = {"input_mean": [9], "input_scale": [9], "input_low": [9], "input_high": [9], "dense.weight": [8, 9], "dense.bias": [8],
              "layer0.weight": [2, 6, 4, 4], "layer0.bias": [6], "mean_offsets": [2, 3], "rest_places": [2, 3]}
    write_tensors(path, card, {name: numpy.ones(shape) for name, shape in shapes.items()})


def write_weights(path, networks):
    """A weights file by its specification (src/tulle/neural/weights_file.h): {name: sizes}."""
    random = numpy.random.default_rng(1)
    tensors = {}
    for name, sizes in networks.items():
        for k, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
            tensors[f"{name}.layers.{k}.weight"] = random.standard_normal((outputs, inputs))
            tensors[f"{name}.layers.{k}.bias"] = random.standard_normal(outputs)
        for part, size in (("input_mean", sizes[0]), ("input_scale", sizes[0]), ("output_mean", sizes[-1]), ("output_scale", sizes[-1])):
            tensors[f"{name}.{part}"] = random.uniform(1, 2, size)
    write_tensors(path, {"activation": "relu"}, tensors)
    return tensors


class ExportNetworksTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.one, self.two = self.folder / "one.safetensors", self.folder / "two.safetensors"
        write_weights(self.one, {"a": [3, 4, 2]})
        self.tensors = write_weights(self.two, {"level.1": [3, 4, 2], "level.2": [5, 6]})

    def tearDown(self):
        self.temporary.cleanup()

    def export(self, *arguments):
        done = tulle("export", *arguments, "--to", "onnx")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refuse(self, *arguments, saying):
        before = sorted(self.folder.iterdir())
        done = tulle("export", *arguments)
        self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
        self.assertIn(saying, done.stderr)
        self.assertLessEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def check(self, path, network):
        model = onnx.load(str(path))
        onnx.checker.check_model(model)
        self.assertEqual(json.loads(model.doc_string), {"activation": "relu"})
        for tensor in model.graph.initializer:
            expected = self.tensors[f"{network}.{tensor.name}"].astype("f4")
            self.assertTrue(numpy.array_equal(numpy_helper.to_array(tensor), expected), tensor.name)

    def test_one_network_goes_beside_the_weights_or_where_it_is_told(self):
        self.assertIn("3-4-2", self.export(self.one))
        self.export(self.one, "-o", self.folder / "b.onnx")
        self.assertEqual((self.folder / "one.onnx").read_bytes(), (self.folder / "b.onnx").read_bytes())

    def test_several_networks_go_to_a_file_each_with_their_name_in_it(self):
        self.export(self.two, "-o", self.folder / "x.onnx")
        self.assertEqual({p.name for p in self.folder.glob("*.onnx")}, {"x.level.1.onnx", "x.level.2.onnx"})
        for network in ("level.1", "level.2"):
            self.check(self.folder / f"x.{network}.onnx", network)

    def test_a_network_that_is_named_goes_alone(self):
        self.export(self.two, "--network", "level.2")
        self.assertEqual([p.name for p in self.folder.glob("*.onnx")], ["two.onnx"])
        self.check(self.folder / "two.onnx", "level.2")

    def test_the_network_of_a_garment_goes_to_one_file_with_images_as_outputs(self):
        weights = self.folder / "shirt.safetensors"
        write_garment(weights)
        self.assertIn("9-6x4x4", self.export(weights))
        model = onnx.load(str(self.folder / "shirt.onnx"))
        onnx.checker.check_model(model)
        self.assertEqual(json.loads(model.doc_string)["method"], "garment")
        self.assertEqual([node.op_type for node in model.graph.node][-2:], ["Relu", "ConvTranspose"])
        self.refuse(weights, "--to", "onnx", "--network", "a", saying="one network only")

    def test_what_cannot_be_exported_ends_in_one_sentence_and_leaves_nothing(self):
        self.refuse(self.two, "--to", "onnx", "--network", "level.3", saying="it has level.1, level.2")
        self.refuse(self.one, "--to", "usd", saying="use --to onnx")
        self.refuse(self.folder / "no.safetensors", "--to", "onnx", saying="there is no weights file")
        self.refuse(self.folder, "--to", "onnx", saying="not a file")
        self.refuse(self.one, "--to", "onnx", "-o", self.folder / "x.txt", saying=".onnx")
        self.refuse(self.one, "--to", "onnx", "-o", self.one / "x.onnx", saying="cannot be made")
        self.refuse(self.folder / "a.h5", "--to", "usd", "--network", "a", saying="--network")
        broken = self.folder / "broken.safetensors"
        broken.write_bytes(self.one.read_bytes()[:-1])
        self.refuse(broken, "--to", "onnx", saying="broken.safetensors")


if __name__ == "__main__":
    unittest.main(argv=["export_networks_test.py"])
