//! What the truth beside a photo says, for tests that need it before anything is measured.

use linecall::camera::{Camera, Lens, Pose};
use nalgebra::{Matrix3, Rotation3, Vector3};
use serde_json::Value;

/// The camera that took a photo. A lens term that is not written is 0.
pub fn true_camera(truth: &Value) -> Camera {
    let number = |value: &Value| value.as_f64().unwrap();
    let term = |name: &str| truth["intrinsics"][name].as_f64().unwrap_or(0.0);
    let lens = &truth["intrinsics"];
    Camera {
        image_size: [0, 1].map(|i| number(&truth["image_size"][i]) as u32),
        lens: Lens {
            fx: number(&lens["fx"]),
            fy: number(&lens["fy"]),
            cx: number(&lens["cx"]),
            cy: number(&lens["cy"]),
            k1: term("k1"),
            k2: term("k2"),
            p1: term("p1"),
            p2: term("p2"),
            k3: term("k3"),
        },
        pose: Pose {
            rotation: Rotation3::from_matrix_unchecked(Matrix3::from_fn(|i, j| {
                number(&truth["extrinsics"]["R"][i][j])
            })),
            translation_mm: Vector3::from_fn(|i, _| number(&truth["extrinsics"]["t"][i])),
        },
    }
}
