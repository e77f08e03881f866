//! Many at once move devices around: whatever they do, the tree stays a tree.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Body;
use http::Method;
use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer, TestApp};
use weir_testkit::on_both_stores;

use crate::support::*;

const METERS: usize = 14;
const MOVERS: usize = 8;
const MOVES: usize = 30;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

async fn move_about(actor: Actor, ids: Arc<Vec<String>>, mut dice: Dice) -> usize {
    let mut moved = 0;
    for _ in 0..MOVES {
        let (a, b) = (&ids[dice.roll(METERS)], &ids[dice.roll(METERS)]);
        let (method, path, body) = match dice.roll(10) {
            0 => (Method::PUT, at(a), json!({ "parent_device_id": b, "name": "moved" })),
            1 => (Method::PUT, at(a) + "/parent", json!({ "parent_device_id": null })),
            2 => {
                let low = json!({ "device_id": a, "hierarchy_level": 1, "parent_device_id": b });
                let assignments = json!([{ "device_id": b, "hierarchy_level": 0 }, low]);
                let path = "/api/v1/devices/hierarchy-batch".to_owned();
                (Method::PATCH, path, json!({ "assignments": assignments }))
            }
            // These write whole devices, and must not bring back places that others changed.
            3 => {
                let path = "/api/v1/devices/bulk-status".to_owned();
                (Method::POST, path, json!({ "device_ids": *ids, "status": "auto" }))
            }
            4 => (Method::DELETE, at(a), Value::Null),
            5 => (Method::PUT, at(a) + "/restore", Value::Null),
            _ => (Method::PUT, at(a) + "/parent", json!({ "parent_device_id": b })),
        };
        let json = Some("application/json");
        let answer = actor.send(method, &path, json, Body::from(body.to_string())).await;
        moved += usize::from(is_sane(&answer));
    }
    moved
}

/// Whether it was done; else it was refused for a reason that the tree gives.
fn is_sane(answer: &Answer) -> bool {
    let body = answer.json();
    let code = body["error_code"].as_str().unwrap_or_default();
    let refused = [
        "CIRCULAR_REFERENCE",
        "HIERARCHY_TOO_DEEP",
        "VALIDATION_ERROR",
        "DEVICE_NOT_FOUND",
        "PARENT_DEVICE_NOT_FOUND",
    ];
    assert!(answer.status == 200 || refused.contains(&code), "{body}");
    answer.status == 200
}

/// All devices, deleted ones too, with their parents and levels.
async fn tree(actor: &Actor, ids: &[String]) -> HashMap<String, (Option<String>, i64)> {
    let mut tree = HashMap::new();
    for id in ids {
        actor.ask(Method::PUT, &(at(id) + "/restore")).await;
        let device = look(actor, id).await;
        let parent = device["parent_device_id"].as_str().map(str::to_owned);
        tree.insert(id.clone(), (parent, device["hierarchy_level"].as_i64().unwrap()));
    }
    tree
}

on_both_stores!(
    no_two_moves_make_a_circle_or_a_wrong_level,
    two_that_want_to_be_each_others_parent_do_not_both_succeed,
);

async fn no_two_moves_make_a_circle_or_a_wrong_level(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let mut ids = Vec::new();
    for n in 0..METERS {
        ids.push(acme.register(&eui(n)).await);
    }
    let (ids, other) = (Arc::new(ids), app.another_node().await);
    let movers = (0..MOVERS).map(|n| {
        let actor = if n % 2 == 0 { acme.clone() } else { other.actor(&acme) };
        tokio::spawn(move_about(actor, ids.clone(), Dice(n as u64)))
    });
    let mut moved = 0;
    for mover in movers.collect::<Vec<_>>() {
        moved += mover.await.unwrap();
    }
    assert!(moved > MOVES, "only {moved} moves succeeded");
    let tree = tree(&acme, &ids).await;
    for (id, (parent, level)) in &tree {
        // A level above the parent's at every step leaves no room for a circle.
        let expected = parent.as_ref().map_or(0, |parent| tree[parent].1 + 1);
        assert_eq!(*level, expected, "{id}: {tree:?}");
        assert!(*level <= 10);
    }
    other.stop().await;
}

async fn two_that_want_to_be_each_others_parent_do_not_both_succeed(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let other = app.another_node().await;
    let there = other.actor(&acme);
    for round in 0..25 {
        let (a, b) =
            (acme.register(&eui(2 * round)).await, acme.register(&eui(2 * round + 1)).await);
        let (first, second) = tokio::join!(
            tokio::spawn({
                let (acme, a, b) = (acme.clone(), a.clone(), b.clone());
                async move { set_parent(&acme, &a, b).await }
            }),
            tokio::spawn({
                let (there, a, b) = (there.clone(), a.clone(), b.clone());
                async move { set_parent(&there, &b, a).await }
            }),
        );
        let mut statuses = [first.unwrap(), second.unwrap()].map(|answer| answer.status.as_u16());
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 400], "round {round}");
    }
    other.stop().await;
}
