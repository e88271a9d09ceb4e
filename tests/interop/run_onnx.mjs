// SPDX-License-Identifier: Apache-2.0
// run_onnx.mjs MODEL.onnx INPUTS OUTPUTS: ONNX Runtime computes OUTPUTS from INPUTS (rows of f32) to 1e-5 of their size.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as ort from "onnxruntime-web";

ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

const [model, inputFile, outputFile] = process.argv.slice(2);

function readFloats(path) {
  const bytes = fs.readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

const session = await ort.InferenceSession.create(fs.readFileSync(model), { executionProviders: ["wasm"] });
assert.deepEqual([session.inputNames, session.outputNames], [["x"], ["y"]]);
const size = session.inputMetadata[0].shape[1];
const inputs = readFloats(inputFile);
const expected = readFloats(outputFile);
const samples = inputs.length / size;
const { y } = await session.run({ x: new ort.Tensor("float32", inputs, [samples, size]) });
assert.deepEqual([y.dims[0], y.data.length], [samples, expected.length]);
const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const difference = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - y.data[i])), 0);
assert.ok(difference < 1e-5 * largest, `the outputs differ by ${difference} of ${largest}`);
console.log(`${samples} samples are the same`);
