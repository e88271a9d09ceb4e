// SPDX-License-Identifier: Apache-2.0
// One canvas behind all panels. It is drawn when something changed, and each panel into its own rectangle.
import { BasicShadowMap, NeutralToneMapping, PCFShadowMap, WebGLRenderer } from "three";
import type { Frame, Topology } from "../decode";
import type { Box, SceneInfo } from "../protocol";
import { PanelView } from "./panel_view";
import { drawsInSoftware, QualityGovernor } from "./quality";
import { SharedCamera, type Rectangle } from "./shared_camera";
import type { Shade } from "./surroundings";

const GLIDES_FROM = 60; // [ms] between frames: slower than that, the eye sees steps

export class Stage {
    readonly camera: SharedCamera;
    panels: PanelView[] = [];
    frameDuration = 0; // [ms] until the next frame is expected
    drawings = 0;
    drawTime = 0; // [ms] that the last drawing took of this thread
    private readonly renderer: WebGLRenderer;
    private readonly governor: QualityGovernor;
    private rectangles: Rectangle[] = [];
    private shade: Shade = "light";
    private asked = false;
    private fitted = "";

    // `drawn` is called after each drawing with the panels as they are on the screen now.
    constructor(canvas: HTMLCanvasElement, private readonly surface: HTMLElement,
                private readonly drawn: (panels: readonly PanelView[]) => void) {
        this.governor = new QualityGovernor(drawsInSoftware());
        this.renderer = new WebGLRenderer({ canvas, antialias: !this.governor.software, alpha: true, powerPreference: "high-performance" });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.autoUpdate = false;
        // Soft edges of shadows are half of the work without a graphics card.
        this.renderer.shadowMap.type = this.governor.software ? BasicShadowMap : PCFShadowMap;
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.setScissorTest(true);
        this.camera = new SharedCamera(surface, () => this.ask());
    }

    setScene(scene: SceneInfo): void {
        for (const panel of this.panels) panel.dispose();
        this.panels = scene.panels.map((info) => new PanelView(info, scene, !this.governor.software));
        for (const panel of this.panels) panel.setShade(this.shade);
        this.applyQuality();
        this.ask();
    }

    // The camera stays where the visitor put it as long as the scene is the same.
    fitUnlessMoved(scene: SceneInfo): void {
        if (this.fitted === scene.name + scene.kind && this.camera.moved) return;
        this.fitted = scene.name + scene.kind;
        this.fit(scene);
    }

    fit(scene: SceneInfo, box: Box = scene.box): void {
        this.camera.fit({ up: scene.up, box }, this.rectangles[0] ?? { left: 0, top: 0, width: 1, height: 1 });
    }

    // The box, grown to where the cloths are now.
    clothBox([least, most]: Box): Box {
        const grown: [number[], number[]] = [[...least], [...most]];
        for (const { positions } of this.panels) {
            for (let i = 0; i < (positions?.length ?? 0); ++i) {
                grown[0][i % 3] = Math.min(grown[0][i % 3], positions![i]);
                grown[1][i % 3] = Math.max(grown[1][i % 3], positions![i]);
            }
        }
        return grown as unknown as Box;
    }

    addTopology(topology: Topology): void {
        for (const panel of this.panels) panel.addTopology(topology);
    }

    show(frame: Frame): ArrayBuffer[] | null {
        const panel = this.panels[frame.panel];
        if (!panel) return null;
        this.ask();
        const glide = this.frameDuration > GLIDES_FROM && !this.governor.software;
        return panel.show(frame, glide ? { start: performance.now(), duration: this.frameDuration } : null);
    }

    setShade(shade: Shade): void {
        this.shade = shade;
        for (const panel of this.panels) panel.setShade(shade);
        this.ask();
    }

    // Where the panels are, in pixels of the window.
    layOut(rectangles: Rectangle[]): void {
        this.rectangles = rectangles;
        const { width, height } = this.surface.getBoundingClientRect();
        this.renderer.setSize(width, height, false);
        this.draw(); // at once: a canvas of another size is empty
    }

    rectangleOf(panel: number): Rectangle {
        return this.rectangles[panel];
    }

    panelAt(x: number, y: number): number {
        return this.rectangles.findIndex(
            ({ left, top, width, height }) => x >= left && x < left + width && y >= top && y < top + height);
    }

    ask(): void {
        if (this.asked) return;
        this.asked = true;
        requestAnimationFrame((start) => {
            this.asked = false;
            this.draw();
            requestAnimationFrame((next) => {
                if (this.governor.note(next - start)) this.applyQuality();
            });
        });
    }

    private draw(): void {
        const start = performance.now();
        // What glides is drawn again and again until it has arrived.
        if (this.panels.map((panel) => panel.advance(start)).some(Boolean)) this.ask();
        const surface = this.surface.getBoundingClientRect();
        const { shadowEvery } = this.governor.quality;
        const shadows = shadowEvery > 0 && this.drawings % shadowEvery === 0;
        this.panels.forEach((panel, i) => {
            const rectangle = this.rectangles[i];
            if (!rectangle || rectangle.width < 1 || rectangle.height < 1) return;
            const [left, width] = this.wholePixels(rectangle.left - surface.left, rectangle.width);
            const [bottom, height] = this.wholePixels(surface.bottom - rectangle.top - rectangle.height, rectangle.height);
            this.renderer.setViewport(left, bottom, width, height);
            this.renderer.setScissor(left, bottom, width, height);
            this.camera.setAspect(rectangle);
            this.renderer.shadowMap.needsUpdate = shadows;
            this.renderer.render(panel.world, this.camera.camera);
        });
        this.drawings += 1;
        this.drawTime = performance.now() - start;
        this.drawn(this.panels);
    }

    // A stretch that ends between pixels of the canvas is drawn to the next ones: the frames of the panels cover them.
    private wholePixels(start: number, extent: number): [number, number] {
        const ratio = this.renderer.getPixelRatio();
        const first = Math.floor(start * ratio) / ratio, last = Math.ceil((start + extent) * ratio) / ratio;
        return [first, last - first];
    }

    // However long it takes: for pictures.
    drawAtBest(): void {
        this.governor.fix(0);
        this.applyQuality();
    }

    private applyQuality(): void {
        const { pixelRatio, shadowSize, shadowEvery } = this.governor.quality;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, pixelRatio));
        for (const panel of this.panels) panel.lights.setShadows(shadowEvery > 0 ? shadowSize : 0);
        this.draw(); // at once, as above
    }

    get software(): boolean {
        return this.governor.software;
    }
}
