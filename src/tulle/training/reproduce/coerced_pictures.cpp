// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/coerced_pictures.h"

#include "tulle/render/renderer.h"

#include <algorithm>

namespace tulle::training {

namespace {

struct Shape {
    std::string title;
    Positions positions;  // |V|×3 [m]
    Positions body;       // of whom it is worn [m]
    VectorX values = {};  // |V|, if it is coloured by them
};

class Gallery {
public:
    Gallery(Reproduction& run, Page& page, const CoercedCells& cells)
        : run_(run), page_(page), cells_(cells), image_(make_image()) {
        choose_pose();
    }

    bool is_empty() const { return drape_ == nullptr; }
    const datasets::DrapedExample& drape() const { return *drape_; }

    // The truth, then what each row makes of the pose; rows that have not been made are left out.
    std::vector<Shape> shapes(const std::vector<std::pair<std::string, CoercedRow>>& rows) const {
        std::vector<Shape> result = {{"truth", example_.positions.cast<double>(), body()}};
        for (const auto& [title, row] : rows)
            if (const auto model = cells_.find(row, cells_.examples_of_table_1(), 1))
                result.push_back({title, shape_by(*model), body()});
        return result;
    }

    void draw(const std::string& name, const std::string& caption, const std::vector<Shape>& shapes,
              render::RenderSettings look) {
        const geometry::TriangleMesh cloth{cells_.lessons().cloth().rest_positions, cells_.lessons().worn().triangles,
                                           cells_.lessons().worn().tex_coords};
        const geometry::TriangleMesh skin{shapes.front().body, cells_.lessons().character().triangles, {}};
        std::vector<render::Panel> panels;
        std::vector<render::PanelFrame> frames;
        for (const Shape& shape : shapes) {
            panels.push_back({.title = shape.title, .cloth = cloth, .colliders = {skin}});
            frames.push_back({.positions = shape.positions, .values = shape.values, .colliders = {shape.body}});
        }
        render::Survey survey(panels);
        survey.add(frames);
        look.size = {.width = 300 * static_cast<int>(shapes.size()), .height = 360};
        if (run_.quick()) look.quality = render::Quality::Draft;
        look.ground.is_drawn = false;
        run_.progress("drawing " + name, 0);
        render::write_png(render::Renderer(panels, survey, look).draw(frames), run_.output() / (name + ".png"));
        page_.picture(name + ".png", caption);
    }

    // In the chosen pose.
    Positions body() const { return cells_.lessons().character().posed(cells_.lessons().pose_of(drape_->drape)); }

    // A camera that looks at the left sleeve from the front.
    render::CameraSettings at_sleeve() const {
        const Positions& worn = cells_.lessons().worn().positions;
        const double edge = worn.col(0).maxCoeff();
        Vector3 sum = Vector3::Zero();
        double count = 0;
        for (long v = 0; v < worn.rows(); ++v) {
            if (worn(v, 0) < edge - sleeve) continue;
            sum += example_.positions.row(v).cast<double>();
            count += 1;
        }
        const Vector3 middle = sum / count;
        return {.eye = middle + Vector3(0.35, -0.75, 0.2), .target = middle, .field_of_view = 20};
    }

private:
    static constexpr double sleeve = 0.12;  // [m] its length

    methods::PatternImage make_image() const {
        const geometry::TriangleMesh& worn = cells_.lessons().worn();
        const auto model = cells_.find(network_alone(), cells_.examples_of_table_1(), 1);
        const int height = model ? model->network.height() : 1, width = model ? model->network.width() : 1;
        return {worn.tex_coords, worn.triangles, height, width};
    }

    Positions shape_by(const methods::GarmentModel& model) const {
        const Positions inferred = by_network(model, image_)(example_);
        const auto projection = projections::make_projection(cells_.lessons().cloth(), model.projection);
        if (!projection) return inferred;
        return projection->apply(inferred, {.mu = model.mu.size() > 0 ? &model.mu : nullptr}).positions;
    }

    // The test pose whose error by the network alone is in the middle of all.
    void choose_pose() {
        const auto model = cells_.find(network_alone(), cells_.examples_of_table_1(), 1);
        if (!model) return;
        const methods::Infer infer = by_network(*model, image_);
        std::vector<std::pair<double, const datasets::DrapedExample*>> errors;
        for (const size_t index : cells_.data().split.test) {
            const datasets::DrapedExample& drape = cells_.data().drapes[index];
            const methods::GarmentExample example = cells_.lessons().example(drape, model->rotations);
            errors.emplace_back((infer(example) - example.positions.cast<double>()).squaredNorm(), &drape);
        }
        std::ranges::sort(errors);
        drape_ = errors[errors.size() / 2].second;
        example_ = cells_.lessons().example(*drape_, model->rotations);
    }

    Reproduction& run_;
    Page& page_;
    const CoercedCells& cells_;
    methods::PatternImage image_;
    const datasets::DrapedExample* drape_ = nullptr;  // null: there is no network yet
    methods::GarmentExample example_;
};

void draw_vertex_mu(Gallery& gallery, const CoercedCells& cells) {
    const auto model = cells.find(vertex_mu(), cells.examples_of_table_1(), 1);
    if (!model) return;
    const scene::DrapedLessons& lessons = cells.lessons();
    const Positions body = lessons.character().posed(lessons.character().skeleton.rest_pose());
    // The camera is the same in both panels.
    const Matrix3 half_turn = Vector3(-1, -1, 1).asDiagonal();
    gallery.draw("coercing-vertex-mu", "Figure 10: μᵢ learnt for each vertex, front and back",
                 {{"front", lessons.worn().positions, body, model->mu},
                  {"back", lessons.worn().positions * half_turn, body * half_turn, model->mu}},
                 {.coloring = render::Coloring::Values, .scale_maximum = 0.2, .value_title = "μ"});
}

}  // namespace

void draw_coerced_pictures(Reproduction& run, Page& page, const CoercedCells& cells) {
    page.heading("Figures 4, 7, 8 and 10: pictures");
    Gallery gallery(run, page, cells);
    if (gallery.is_empty()) {
        page.text("No network has been trained yet.");
        return;
    }
    page.text(fmt::format("All of one test pose ({}), the one whose error by the network alone is in the middle.",
                          gallery.drape().name));
    const std::vector<Shape> mended = gallery.shapes({{"network", network_alone()},
                                                      {"inextensible", inextensible(false)},
                                                      {"quasistatic, μ = 0.1", quasistatic(0.1, false)}});
    gallery.draw("coercing-stretch", "Figures 4 and 8: stretched (red) and compressed (blue) edges", mended,
                 {.coloring = render::Coloring::Stretch});
    gallery.draw("coercing-sleeve", "Figures 4 and 8: the left sleeve with a texture", mended,
                 {.pattern = render::Pattern::Weave, .camera = gallery.at_sleeve()});
    gallery.draw("coercing-mu", "Figure 7: post-processes of different μ",
                 gallery.shapes({{"network", network_alone()},
                                 {"μ = 1", quasistatic(1, false)},
                                 {"μ = 0.1", quasistatic(0.1, false)},
                                 {"μ = 0.01", quasistatic(0.01, false)}}),
                 {});
    draw_vertex_mu(gallery, cells);
}

}  // namespace tulle::training
