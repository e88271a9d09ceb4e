// SPDX-License-Identifier: Apache-2.0
// The springs between fingers and cloth: a ball where the cloth is held and a line to the pointer.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import type { GrabMark } from "../decode";

const COLOR = "#f2b84b";

class Mark extends Group {
    private readonly ball: Mesh;
    private readonly line: Line;

    constructor(size: number) {
        super();
        this.ball = new Mesh(new SphereGeometry(size, 16, 12), new MeshBasicMaterial({ color: COLOR, depthTest: false, transparent: true, opacity: 0.9 }));
        const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
        this.line = new Line(geometry, new LineBasicMaterial({ color: COLOR, depthTest: false, transparent: true }));
        this.line.frustumCulled = false;
        this.ball.renderOrder = this.line.renderOrder = 10;
        this.add(this.ball, this.line);
    }

    show(mark: GrabMark): void {
        this.ball.position.set(...mark.point);
        const ends = this.line.geometry.getAttribute("position") as BufferAttribute;
        ends.setXYZ(0, ...mark.point);
        ends.setXYZ(1, ...mark.target);
        ends.needsUpdate = true;
    }
}

export class GrabMarks extends Group {
    constructor(private readonly size: number) {
        super();
    }

    show(marks: readonly GrabMark[]): void {
        while (this.children.length < marks.length) this.add(new Mark(this.size));
        this.children.forEach((child, i) => {
            child.visible = i < marks.length;
            if (i < marks.length) (child as Mark).show(marks[i]);
        });
    }
}
