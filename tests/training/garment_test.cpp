// SPDX-License-Identifier: Apache-2.0
#include "tests/support/garment_lessons.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/methods/garment/garment_errors.h"
#include "tulle/training/garment_learner.h"
#include "tulle/training/torch_garment.h"
#include "tulle/training/torch_image_network.h"
#include "tulle/training/trainer.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

// libtorch's logging has a macro of the same name, which ends the program.
#undef CHECK
#define CHECK DOCTEST_CHECK

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::training;

namespace {

const test::SmallGarment garment;

at::Tensor tensor_of(const std::vector<float>& numbers, at::ScalarType type) {
    at::Tensor tensor = at::empty({static_cast<int64_t>(numbers.size())}, at::kFloat);
    std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<float>());
    return tensor.to(type);
}

// Weights of a network that answers as large as its lesson, and not near zero.
std::vector<float> lively_parameters(const GarmentLesson& lesson) {
    std::vector<float> parameters = methods::parameters_of(lesson);
    const auto weights = static_cast<size_t>(neural::parameter_count(lesson.start.network));
    Random random(3);
    for (size_t i = 0; i < weights; ++i) parameters[i] += static_cast<float>(random.uniform(-0.1, 0.1));
    return parameters;
}

// The largest difference between the gradient of the loss of a batch and finite differences, along directions at
// random and along each of the last `alone` parameters, relative to the gradient.
double worst_gradient(const GarmentLesson& lesson, long alone = 0) {
    const TorchGarment chain(lesson, Precision::Double);
    const std::vector<const GarmentExample*> batch = {&lesson.training[0], &lesson.training[1]};
    const at::Tensor start = tensor_of(lively_parameters(lesson), at::kDouble);
    const at::Tensor parameters = start.clone().requires_grad_();
    chain.losses(parameters, batch).mean().backward();
    const at::Tensor gradient = parameters.grad();

    double worst = 0;
    Random random(11);
    const auto check = [&](const at::Tensor& direction) {
        const double step = 1e-6;
        const double above = chain.losses(start + step * direction, batch).mean().item<double>();
        const double below = chain.losses(start - step * direction, batch).mean().item<double>();
        const double expected = (above - below) / (2 * step);
        const double size = (gradient * direction).norm().item<double>();
        worst = std::max(worst, std::abs((gradient * direction).sum().item<double>() - expected) / size);
    };
    for (int i = 0; i < 4; ++i) {
        at::Tensor direction = at::empty_like(start);
        for (int64_t k = 0; k < direction.numel(); ++k) direction.data_ptr<double>()[k] = random.uniform(-1, 1);
        check(direction);
    }
    for (long i = 1; i <= alone; ++i) {
        at::Tensor direction = at::zeros_like(start);
        direction.data_ptr<double>()[direction.numel() - i] = 1;
        check(direction);
    }
    return worst;
}

// Far enough from kinks that finite differences mean something.
projections::QuasistaticsSettings exact_quasistatics(double mu) { return {.mu = mu, .tolerance = 1e-12}; }

}  // namespace

TEST_CASE("The image network on libtorch equals the plain reference, and so does what vertices read") {
    const GarmentLesson lesson = test::small_lesson(garment, 4);
    const GarmentModel model = model_with(lesson, lively_parameters(lesson));
    const TorchGarment chain(lesson);
    const std::vector<const GarmentExample*> batch = {&lesson.training[0], &lesson.training[2]};
    const at::Tensor said = chain.positions(tensor_of(lively_parameters(lesson), at::kFloat), batch);
    for (size_t e = 0; e < batch.size(); ++e) {
        std::vector<float> image(static_cast<size_t>(lesson.image.size()));
        const Eigen::VectorXf& inputs = batch[e]->inputs;
        evaluate_reference(model.network, {inputs.data(), static_cast<size_t>(inputs.size())}, image);
        const Positions expected =
            positions_at(*batch[e], model.mean_offsets + model.offset_scale * lesson.image.read(image));
        const at::Tensor own = said[static_cast<int64_t>(e)].contiguous();
        const Eigen::Map<const Rows<float, 3>> positions(own.data_ptr<float>(), own.size(0), 3);
        CHECK((positions.cast<double>() - expected).cwiseAbs().maxCoeff() < 1e-5);
    }
}

TEST_CASE("Doubled images are those of libtorch's own transposed convolution") {
    const neural::ImageNetworkSizes sizes{.inputs = 5, .channels = {3, 4}, .first_height = 2, .first_width = 3};
    const neural::ImageNetwork network = neural::random_image_network(sizes, 1);
    const at::Tensor parameters = tensor_of(neural::parameters_of(network), at::kDouble);
    const at::Tensor inputs = at::arange(10, at::kDouble).reshape({2, 5}) - 4;
    const at::Tensor dense = at::matmul(inputs, parameters.narrow(0, 0, 18 * 5).reshape({18, 5}).t());
    const at::Tensor kernels = parameters.narrow(0, 18 * 5 + 18, 3 * 4 * 16).reshape({3, 4, 4, 4});
    const at::Tensor expected =
        at::conv_transpose2d(at::relu(dense).reshape({2, 3, 2, 3}), kernels, {}, /*stride=*/2, /*padding=*/1);
    CHECK((torch_images(sizes, parameters, inputs) - expected).abs().max().item<double>() < 1e-12);
}

TEST_CASE("Gradients of the whole chain equal finite differences, with and without a projection") {
    GarmentLesson lesson = test::small_lesson(garment, 2);
    CHECK(worst_gradient(lesson) < 1e-4);
    lesson.start.projection.quasistatics = exact_quasistatics(0.3);
    CHECK(worst_gradient(lesson) < 1e-4);
    lesson.start.projection = {};
    lesson.start.projection.inextensibility = {.stretch = 0.01, .tolerance = 1e-12};
    CHECK(worst_gradient(lesson) < 1e-4);
}

TEST_CASE("Gradients by a learnt mu, common or of each vertex, equal finite differences") {
    GarmentLesson lesson = test::small_lesson(garment, 2);
    lesson.start.projection.quasistatics = exact_quasistatics(0.3);
    lesson.mu_rate = 5;
    for (const LearntMu learnt : {LearntMu::Global, LearntMu::Vertex}) {
        lesson.learnt_mu = learnt;
        CHECK(worst_gradient(lesson, learnt == LearntMu::Global ? 1 : 6) < 1e-4);
    }
}

TEST_CASE("Losses of pixels and of normals have the gradients of finite differences, and vanish at the truth") {
    GarmentLesson lesson = test::small_lesson(garment, 2);
    lesson.loss = {.image = 0.5, .normals = 30};
    CHECK(worst_gradient(lesson) < 1e-4);

    // The mean of one example alone is the truth, and a network of zeros says it.
    GarmentLesson known = test::small_lesson(garment, 1);
    const std::vector<const GarmentExample*> batch = {&known.training[0]};
    const std::vector<float> zeros(methods::parameters_of(known).size());
    for (const GarmentLoss& loss : {GarmentLoss{}, GarmentLoss{.image = 1}, GarmentLoss{.normals = 1}}) {
        known.loss = loss;
        const at::Tensor said = TorchGarment(known, Precision::Double).losses(tensor_of(zeros, at::kDouble), batch);
        CHECK(said.item<double>() < 1e-5);
    }
}

TEST_CASE("A garment's training learns poses it has not seen, and what is reported is SqrtMSE") {
    GarmentLesson lesson = test::small_lesson(garment, 60);
    GarmentLearner learner(lesson);
    const FitResult result = fit(learner, {.learning_rate = 3e-3, .batch = 10, .epochs = 60});
    REQUIRE_FALSE(result.diverged);
    CHECK(result.best_error < 0.4);
    const GarmentModel model = model_with(lesson, result.parameters);
    const GarmentErrors errors = measure_garment(lesson.cloth, lesson.validation, by_network(model, lesson.image));
    CHECK(result.best_validation_loss == test::near(1000 * errors.sqrt_mse).epsilon(1e-3));
}

TEST_CASE("A garment's training through a projection that is stopped and resumed ends with the same bits") {
    GarmentLesson lesson = test::small_lesson(garment, 12);
    lesson.start.projection.quasistatics = projections::QuasistaticsSettings{.mu = 0.2, .tolerance = 1e-4};
    lesson.learnt_mu = LearntMu::Vertex;
    const TrainerSettings settings{.learning_rate = 1e-3, .batch = 4, .epochs = 4};
    GarmentLearner whole(lesson);
    const FitResult expected = fit(whole, settings);

    const test::TemporaryFolder folder;
    const TrainerFiles files{.checkpoint = folder / "x.train", .log = {}, .resume = true};
    int batches = 0;
    GarmentLearner first(lesson);
    CHECK(fit(first, settings, files, [&](const TrainProgress&) { return ++batches < 5; }).stopped);
    GarmentLearner second(lesson);
    const FitResult resumed = fit(second, settings, files);
    CHECK(resumed.parameters == expected.parameters);
    CHECK(resumed.best_validation_loss == expected.best_validation_loss);
    CHECK(model_with(lesson, resumed.parameters).mu.minCoeff() != model_with(lesson, resumed.parameters).mu.maxCoeff());
}
