// SPDX-License-Identifier: Apache-2.0
// Puts the page together: what the server says goes to the stage and to the controls, what the visitor does to the server.
import type { ConnectionState } from "./connection";
import { buffersOf, type Frame, type Topology } from "./decode";
import { LatencyMeter } from "./latency";
import { Link, liveAddress } from "./link";
import type { Hello, Request, SaveKind, SceneInfo, ServerMessage, Status, VectorParameter } from "./protocol";
import { Grabbing } from "./scene/grabbing";
import { Stage } from "./scene/stage";
import type { SeenCounts } from "./seen";
import { Diagnostics } from "./ui/diagnostics";
import { find, setText } from "./ui/dom";
import { Drawer } from "./ui/drawer";
import { Help } from "./ui/help";
import { listenToKeys } from "./ui/keyboard";
import { layOutPanels } from "./ui/layout";
import { Notices } from "./ui/notices";
import { PanelCards } from "./ui/panel_cards";
import { Theme } from "./ui/theme";
import { TopBar } from "./ui/top_bar";
import { Transport } from "./ui/transport";
import { WindCompass } from "./ui/wind_compass";
import type { Vec3 } from "./vector";

export class App {
    hello: Hello | null = null;
    scene: SceneInfo | null = null;
    status: Status | null = null;
    state: ConnectionState = "connecting";
    private readonly surface = find("#stage");
    readonly latency = new LatencyMeter();
    private readonly send = (request: Request, since = performance.now()): void => {
        this.latency.sent(this.link.send(request), since);
    };
    readonly stage = new Stage(find<HTMLCanvasElement>("#canvas"), this.surface, (panels) => {
        const shown = panels.map((panel) => panel.frame?.seq ?? 0);
        if (shown.length > 0) this.latency.drawn(Math.min(...shown), performance.now());
        this.compass.draw();
    });
    readonly diagnostics = new Diagnostics(this.stage, this.latency);
    private readonly notices = new Notices();
    private readonly help = new Help();
    private readonly theme = new Theme((shade) => this.stage.setShade(shade));
    private readonly cards = new PanelCards({ methods: (methods) => this.send({ type: "methods", methods }) });
    private readonly drawer = new Drawer({ send: this.send, save: (what, panel) => this.save(what, panel) });
    private readonly transport = new Transport(this.send);
    private readonly top = new TopBar({
        send: this.send,
        addPanel: () => this.addPanel(),
        fit: () => this.fit(),
        toggleTheme: () => this.theme.toggle(),
        toggleHelp: () => this.help.toggle(),
        toggleDrawer: () => this.drawer.toggle(),
    });
    private readonly compass = new WindCompass(
        () => ({ up: this.scene!.up, right: this.stage.camera.right, forward: this.stage.camera.forward }),
        (wind, since) => this.send({ type: "set", name: "wind", value: wind }, since));
    private readonly grabbing = new Grabbing(this.stage, find("#panels"), {
        send: (request, since) => {
            find("#hint").hidden = true; // the visitor knows
            this.send(request, since);
        },
        offsetOf: (collider) => this.status?.offsets[collider] ?? [0, 0, 0],
        cursor: (kind) => (this.surface.dataset.cursor = kind),
    });
    private readonly link = new Link({
        state: (state, reason) => this.setState(state, reason),
        text: (message) => this.receive(message),
        topology: (topology: Topology) => this.stage.addTopology(topology),
        frame: (frame, counts, decodeTime) => this.show(frame, counts, decodeTime),
    });

    start(): void {
        new ResizeObserver(() => this.layOut()).observe(this.surface);
        this.listenToKeys();
        this.link.open(liveAddress(location));
    }

    private receive(message: ServerMessage): void {
        if (message.type === "hello") {
            this.hello = message;
            this.cards.setHello(message);
            this.top.setHello(message);
        }
        if (message.type === "scene") this.setScene(message);
        if (message.type === "status") this.setStatus(message);
        if (message.type === "saved") this.notices.saved(message);
        if (message.type === "error") this.notices.say(message.text, "error");
        if (message.type === "note") this.notices.say(message.text);
    }

    private setState(state: ConnectionState, reason: string): void {
        this.state = state;
        this.latency.forget();
        document.body.classList.toggle("lost", state === "lost");
        if (state === "lost") this.notices.connectionLost(reason);
        else this.notices.connected();
    }

    private setScene(scene: SceneInfo): void {
        this.scene = scene;
        this.diagnostics.forget();
        document.title = `${scene.name} · Tulle`;
        this.cards.setScene(scene);
        this.stage.setScene(scene);
        this.layOut();
        this.grabbing.setScene(scene);
        this.top.setScene(scene);
        this.drawer.setScene(scene);
        this.transport.setScene(scene);
        if (!scene.grabbable) find("#hint").hidden = true;
        const wind = scene.parameters.find(({ name, kind }) => name === "wind" && kind === "vector") as VectorParameter | undefined;
        this.compass.setParameter(wind ?? null);
        if (wind) this.setWind(wind.value);
    }

    private setWind(wind: Vec3): void {
        this.compass.setWind(wind);
        for (const panel of this.stage.panels) panel.wind = wind;
    }

    private setStatus(status: Status): void {
        this.status = status;
        this.stage.frameDuration = status.playing && this.scene ? 1000 / (this.scene.frame_rate * status.speed) : 0;
        this.cards.setStatus(status);
        this.drawer.setStatus(status);
        this.transport.setStatus(status);
        this.top.setStatus(status);
        if (status.values.wind) this.setWind(status.values.wind as Vec3);
        const busy = find("#busy"), headline = this.cards.headline();
        busy.hidden = status.busy === "";
        setText(busy.querySelector("span")!, `In the background: ${status.busy}`);
        setText(find("#headline"), headline);
    }

    private show(frame: Frame, counts: SeenCounts, decodeTime: number): ArrayBuffer[] {
        this.diagnostics.noteFrame(frame.panel, counts, decodeTime);
        if (frame.panel === 0) this.transport.setFrame(frame.frame, frame.time);
        if (frame.scalars) this.top.setRange(frame.scalarRange);
        if (!find("#waiting").hidden) {
            find("#waiting").hidden = true;
            find("#hint").hidden = !this.scene?.grabbable;
        }
        return this.stage.show(frame) ?? buffersOf(frame);
    }

    private layOut(): void {
        layOutPanels(this.cards.container, this.surface);
        this.stage.layOut(this.cards.rectangles());
        if (this.scene) this.stage.fitUnlessMoved(this.scene);
    }

    private fit(): void {
        if (this.scene) this.stage.fit(this.scene, this.stage.clothBox(this.scene.box));
    }

    private addPanel(): void {
        const used = this.scene?.panels.map((panel) => panel.method) ?? [];
        const next = this.hello?.methods.find(({ name }) => !used.includes(name));
        if (next) this.send({ type: "methods", methods: [...used, next.name] });
    }

    private save(what: SaveKind, panel: number): void {
        if (what !== "picture") return this.send({ type: "save", what, panel });
        const { width, height } = this.stage.rectangleOf(panel), even = (pixels: number): number => 2 * Math.round(pixels);
        this.send({ type: "save", what, panel, camera: this.stage.camera.pose, size: [even(width), even(height)] });
    }

    private listenToKeys(): void {
        listenToKeys({
            togglePlay: () => this.transport.togglePlay(),
            step: (direction) => this.transport.step(direction),
            restart: () => this.send({ type: "restart" }),
            changeSpeed: (direction) => this.transport.changeSpeed(direction),
            color: (index) => this.top.colors[index] && this.send({ type: "color", mode: this.top.colors[index] }),
            fit: () => this.fit(),
            turn: (horizontal, vertical) => this.stage.camera.turn(horizontal, vertical),
            zoom: (factor) => this.stage.camera.zoom(factor),
            toggleTheme: () => this.theme.toggle(),
            toggleHelp: () => this.help.toggle(),
            toggleDrawer: () => this.drawer.toggle(),
            toggleDiagnostics: () => this.diagnostics.toggle(),
            closeAll: () => { this.help.close(); this.drawer.toggle(false); },
        });
    }
}
